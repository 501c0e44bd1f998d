#include "expectation.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>

#include "exposition/parser.h"
#include "promql/matcher.h"
#include "store/recent_scrapes.h"

namespace firstword::pages {
namespace {

using signals::Histogram;
using signals::LabelledValue;
using signals::SignalValue;
using signals::TargetReport;

std::vector<std::string> Words(std::string_view line) {
  std::vector<std::string> words;
  bool braces = false;
  std::string word;
  for (const char c : line) {
    if (c == '#' && !braces && word.empty()) break;
    if (c == '{') braces = true;
    if (c == '}') braces = false;
    if ((c == ' ' || c == '\t') && !braces) {
      if (!word.empty()) words.push_back(std::move(word));
      word.clear();
    } else {
      word += c;
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

std::optional<double> Number(const std::string& text) {
  if (text == "+Inf") return std::numeric_limits<double>::infinity();
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

bool Near(double got, double want) {
  if (got == want) return true;
  return std::fabs(got - want) <= 1e-6 * std::max(std::fabs(got), std::fabs(want));
}

std::string Check(std::string_view what, std::optional<double> got, const std::string& want_text) {
  const std::optional<double> want = Number(want_text);
  if (!want) return fmt::format("\"{}\" is not a number", want_text);
  if (!got) return fmt::format("{}: expected {}, it is absent", what, *want);
  if (!Near(*got, *want)) return fmt::format("{}: expected {}, got {}", what, *want, *got);
  return {};
}

// The signal of the page's one replica; with label matchers, its values added over all.
struct Found {
  const SignalValue* signal = nullptr;
  int replicas = 0;  // that have the signal
  std::optional<double> value;
  std::optional<Histogram> histogram;
};

Found Find(const TargetReport& report, const std::string& name,
           const std::vector<promql::Matcher>& labels) {
  Found found;
  for (const signals::ReplicaSignals& replica : report.replicas) {
    const SignalValue* signal = replica.Find(name);
    if (signal == nullptr) continue;
    found.signal = signal;
    ++found.replicas;
    if (labels.empty()) {
      found.value = signal->value;
      found.histogram = signal->histogram;
      continue;
    }
    for (const LabelledValue& one : signal->by) {
      if (!promql::MatchesAll(labels, one.labels)) continue;
      if (one.value) found.value = found.value.value_or(0) + *one.value;
      if (one.histogram) found.histogram = one.histogram;
    }
  }
  return found;
}

std::string CheckQuantile(const std::string& what, const Found& found,
                          const std::vector<std::string>& words) {
  if (words.size() != 4) return fmt::format("{}: write LOWER UPPER", what);
  const std::optional<double> percent = Number(words[1].substr(1));
  if (!percent || !found.histogram) return fmt::format("{}: no histogram", what);
  const std::optional<signals::Interval> interval = found.histogram->Quantile(*percent / 100);
  std::string lower =
      Check(what + " lower", interval ? std::optional(interval->lower) : std::nullopt, words[2]);
  if (!lower.empty()) return lower;
  return Check(what + " upper", interval->upper, words[3]);
}

std::string CheckSignal(const std::vector<std::string>& words, const TargetReport& report) {
  const std::size_t brace = words[0].find('{');
  const std::string name = words[0].substr(0, brace);
  std::vector<promql::Matcher> labels;
  if (brace != std::string::npos) {
    Result<std::vector<promql::Matcher>> parsed = promql::ParseSelector(words[0].substr(brace));
    if (!parsed) return fmt::format("{}: {}", words[0], parsed.error().message);
    labels = *std::move(parsed);
  }
  if (words.size() < 2) return fmt::format("{}: say value, count, sum, p99 or absent", words[0]);
  const Found found = Find(report, name, labels);
  const std::string& figure = words[1];
  const std::string what = words[0] + " " + figure;
  if (figure == "absent") {
    // A signal whose only values were impossible ones is there by name, but says nothing.
    const bool there = found.value.has_value() || found.histogram.has_value();
    return there ? fmt::format("{}: it is there", what) : std::string();
  }
  if (found.signal == nullptr) return fmt::format("{}: the signal is absent", what);
  if (labels.empty() && found.replicas > 1) {
    return fmt::format("{}: {} replicas have it; write labels", what, found.replicas);
  }
  if (figure.starts_with('p') && figure.size() > 1) return CheckQuantile(what, found, words);
  if (words.size() != 3) return fmt::format("{}: write one number", what);
  if (figure == "value") return Check(what, found.value, words[2]);
  const Histogram empty;
  const Histogram& histogram = found.histogram ? *found.histogram : empty;
  if (figure == "count") return Check(what, histogram.count(), words[2]);
  if (figure == "sum") return Check(what, histogram.sum(), words[2]);
  if (figure == "mean") return Check(what, histogram.Mean(), words[2]);
  return fmt::format("{}: no such figure", what);
}

std::string Compare(std::string_view what, std::string_view got, const std::string& want) {
  if (got == want || (want == "-" && got.empty())) return {};
  return fmt::format("{}: expected {}, got {}", what, want, got.empty() ? "-" : got);
}

std::string CheckDetection(const std::vector<std::string>& words, const TargetReport& report) {
  if (report.detections.empty()) return fmt::format("{}: the page is not recognised", words[0]);
  const dialect::Detection& first = report.detections.front();
  const auto text = [](const std::optional<dialect::Version>& version) {
    return version ? version->ToString() : std::string();
  };
  if (words.size() != 2) return fmt::format("{}: write one word", words[0]);
  if (words[0] == "engine") return Compare("engine", first.dialect->name, words[1]);
  if (words[0] == "flavour")
    return Compare("flavour", first.flavour ? first.flavour->name : "", words[1]);
  if (words[0] == "kind") return Compare("kind", dialect::KindName(first.dialect->kind), words[1]);
  if (words[0] == "version_min") return Compare("version_min", text(first.versions.min), words[1]);
  return Compare("version_max", text(first.versions.max), words[1]);
}

std::string CheckLine(const std::vector<std::string>& words, const TargetReport& report) {
  if (words[0] == "engine" || words[0] == "flavour" || words[0] == "kind" ||
      words[0].starts_with("version_")) {
    return CheckDetection(words, report);
  }
  if (words[0] == "finding" || words[0] == "no_finding") {
    if (words.size() != 2) return "finding: write one code";
    const bool there =
        std::any_of(report.findings.begin(), report.findings.end(),
                    [&](const signals::Finding& finding) { return finding.code == words[1]; });
    if (there == (words[0] == "finding")) return {};
    return fmt::format("{} {}: it is {}", words[0], words[1], there ? "there" : "missing");
  }
  if (words[0].find(':') != std::string::npos) return CheckSignal(words, report);
  return fmt::format("\"{}\" is no expectation", words[0]);
}

}  // namespace

Result<TargetReport> ReportOn(const std::filesystem::path& page,
                              const dialect::Registry& registry) {
  std::ifstream file(page, std::ios::binary);
  const std::string body{std::istreambuf_iterator<char>(file), {}};
  exposition::PageParser parser;
  const exposition::Format format =
      page.extension() == ".om" ? exposition::Format::kOpenMetrics : exposition::Format::kText;
  if (Result<void> parsed = parser.Parse(body, format); !parsed)
    return std::unexpected(parsed.error());
  store::RecentScrapes scrapes(1);
  scrapes.Append(promql::Labels{{"job", "pages"}, {"instance", "page"}}, 1000, parser.page());
  dialect::CanonicalSource source(scrapes, registry);
  Result<std::vector<TargetReport>> reports = signals::Examine(source, {}, {});
  if (!reports) return std::unexpected(reports.error());
  if (reports->size() != 1) return Fail(ErrorCode::kInvalid, "expected one target");
  return std::move(reports->front());
}

std::vector<std::string> Mismatches(std::string_view expectations, const TargetReport& report) {
  std::vector<std::string> mismatches;
  std::size_t number = 0;
  std::size_t checked = 0;
  while (!expectations.empty()) {
    const std::size_t newline = expectations.find('\n');
    const std::string_view line = expectations.substr(0, newline);
    expectations.remove_prefix(newline == std::string_view::npos ? expectations.size()
                                                                 : newline + 1);
    ++number;
    const std::vector<std::string> words = Words(line);
    if (words.empty()) continue;
    ++checked;
    if (std::string problem = CheckLine(words, report); !problem.empty()) {
      mismatches.push_back(fmt::format("line {}: {}", number, problem));
    }
  }
  if (checked == 0) mismatches.push_back("the file expects nothing");
  return mismatches;
}

}  // namespace firstword::pages
