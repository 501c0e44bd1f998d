#include "cli/report/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/text/format.h"
#include "cli/text/text.h"

namespace firstword::cli {
namespace {

using signals::SignalValue;

std::optional<double> Quotient(const std::optional<double>& part,
                               const std::optional<double>& whole) {
  if (!part || !whole || *whole <= 0) return std::nullopt;
  return *part / *whole;
}

}  // namespace

std::string EngineText(const dialect::Detection& detection) {
  std::string text = detection.dialect->title;
  if (detection.versions.min || detection.versions.max) {
    text += " " + detection.versions.ToString();
  }
  return text;
}

std::string EngineAndFlavour(const dialect::Detection& detection) {
  std::string text = EngineText(detection);
  if (detection.flavour == nullptr) return text;
  std::string_view flavour = detection.flavour->title;
  const std::string_view title = detection.dialect->title;
  if (flavour.starts_with(title)) {
    flavour.remove_prefix(title.size());
    flavour.remove_prefix(std::min(flavour.find_first_not_of(", "), flavour.size()));
  }
  return flavour.empty() ? text : text + ", " + std::string(flavour);
}

std::string EngineTextShort(const dialect::Detection& detection) {
  const dialect::VersionRange& range = detection.versions;
  std::string text = detection.dialect->title;
  if (range.min && range.max) {
    const bool exact = *range.min == *range.max;
    text += " " + range.min->ToString() + (exact ? "" : "–" + range.max->ToString());
  } else if (range.min) {
    text += " " + range.min->ToString() + "+";
  } else if (range.max) {
    text += " ≤" + range.max->ToString();
  }
  return text;
}

std::vector<TtftPart> TtftParts(const signals::TtftDecomposition& ttft) {
  std::vector<TtftPart> parts;
  const auto add = [&](std::string name, const std::optional<double>& seconds) {
    if (!seconds) return;
    const double share = ttft.ttft && *ttft.ttft > 0 ? *seconds / *ttft.ttft : 0;
    parts.push_back({std::move(name), *seconds, share});
  };
  add("frontend", ttft.gap);
  add("queue", ttft.queue);
  add("prefill", ttft.prefill);
  return parts;
}

SecondsTogether::SecondsTogether(const signals::TtftDecomposition& ttft) {
  double longest = 0;
  for (const auto& part : {ttft.ttft, ttft.gap, ttft.queue, ttft.prefill}) {
    longest = std::max(longest, part.value_or(0));
  }
  milliseconds_ = longest < 1;
}

std::string SecondsTogether::operator()(double seconds) const {
  std::string text =
      milliseconds_ ? fmt::format("{:.1f}", seconds * 1000) : fmt::format("{:.2f}", seconds);
  // A little is not nothing.
  if (seconds > 0 && text == "0.00") return "<0.01";
  if (seconds > 0 && text == "0.0") return "<0.1";
  return text;
}

std::string TtftSentence(const signals::TtftDecomposition& ttft) {
  if (!ttft.ttft) return {};
  const SecondsTogether seconds(ttft);
  std::string text = fmt::format("TTFT mean {} {}", seconds(*ttft.ttft), seconds.unit());
  const std::vector<TtftPart> parts = TtftParts(ttft);
  if (parts.empty()) return text;
  text += ttft.gap ? " = " : ", of which ";
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += ttft.gap ? " + " : ", ";
    text += parts[i].name + " " + seconds(parts[i].seconds);
  }
  return text;
}

std::string LabelText(const promql::Labels& labels) {
  std::string text;
  for (const promql::Label& label : labels.all()) {
    if (label.name == "rank" && label.value == "0") continue;
    if (!text.empty()) text += ", ";
    text += label.name + "=" + label.value;
  }
  return text;
}

std::string ReplicaText(const signals::ReplicaSignals& replica) {
  std::string text;
  for (const promql::Label& label : replica.key.all()) {
    if (label.name == "job" || label.name == "instance") continue;
    if (!text.empty()) text += ", ";
    text += label.name + " " + label.value;
  }
  if (!text.empty()) return text;
  return std::string(replica.key.Get("instance"));
}

std::string Join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += separator;
    text += part;
  }
  return text;
}

std::vector<std::string> SourceNames(const SignalValue& value) {
  if (value.def->type != dialect::SignalType::kHistogram) return value.source;
  std::vector<std::string> names;
  for (std::string name : value.source) {
    for (const std::string_view suffix : {"_bucket", "_count", "_sum"}) {
      if (name.ends_with(suffix)) {
        name.resize(name.size() - suffix.size());
        break;
      }
    }
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(std::move(name));
    }
  }
  return names;
}

std::string KeyFigures(const signals::ReplicaSignals& replica) {
  std::vector<std::string> parts;
  const auto add = [&](const char* signal, const auto& say) {
    const SignalValue* value = replica.Find(signal);
    if (value == nullptr) return;
    // Counters of the window where there is one.
    const std::optional<double> figure = value->increase ? value->increase : value->value;
    if (figure) parts.push_back(say(*figure));
  };
  const auto number = [](std::string_view noun) {
    return [noun](double value) { return FormatNumber(value) + " " + std::string(noun); };
  };
  add("llm:requests_running", number("running"));
  add("llm:requests_waiting", number("waiting"));
  add("llm:kv_cache_usage_ratio", [](double value) { return "KV " + FormatRatio(value); });
  add("llm:requests_total", [](double value) {
    return FormatNumber(value) + (value == 1 ? " request finished" : " requests finished");
  });
  add("llm:preemptions_total", [](double value) {
    return FormatNumber(value) + (value == 1 ? " preemption" : " preemptions");
  });
  if (const std::optional<double> hits = PrefixHitRatio(replica)) {
    parts.push_back(FormatRatio(*hits) + " prefix hits");
  }
  return Join(parts, " · ");
}

std::string PopulationText(std::string_view population) {
  static constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"all", "all requests"},
      {"first_token", "requests that got a first token"},
      {"finished", "finished requests only"},
      {"succeeded", "successful requests only"},
      {"streaming", "streaming requests only"},
      {"nonstreaming", "requests without streaming only"},
      {"steps", "engine steps"},
      {"unknown", "which requests it covers is not known"}};
  for (const auto& [word, text] : kWords) {
    if (word == population) return std::string(text);
  }
  return std::string(population);
}

std::optional<double> PrefixHitRatio(const signals::ReplicaSignals& replica) {
  const SignalValue* queries = replica.Find("llm:prefix_cache_queries_total");
  const SignalValue* hits = replica.Find("llm:prefix_cache_hits_total");
  if (queries != nullptr && hits != nullptr) {
    if (queries->increase) return Quotient(hits->increase, queries->increase);
    return Quotient(hits->value, queries->value);
  }
  const SignalValue* gauge = replica.Find("llm:prefix_cache_hit_ratio");
  return gauge == nullptr ? std::nullopt : gauge->value;
}

}  // namespace firstword::cli
