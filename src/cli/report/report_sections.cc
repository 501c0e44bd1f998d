#include "cli/report/report_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/report/describe.h"
#include "cli/text/bars.h"
#include "cli/text/format.h"
#include "cli/text/table.h"
#include "cli/text/text.h"

namespace firstword::cli {
namespace {

using signals::Finding;

constexpr std::size_t kPartBarWidth = 40;

std::string Indented(std::string_view text, std::size_t indent, Ink ink, const Paint& paint,
                     std::size_t width) {
  std::string out;
  for (const std::string& line : Wrap(text, width - indent)) {
    out += std::string(indent, ' ') + paint(ink, line) + "\n";
  }
  return out;
}

bool IsWarning(const Finding& finding) { return finding.severity == Finding::Severity::kWarning; }

std::string CountsText(std::span<const Finding> findings) {
  const auto warnings =
      static_cast<std::size_t>(std::count_if(findings.begin(), findings.end(), IsWarning));
  std::vector<std::string> counts;
  if (warnings > 0) counts.push_back(Plural(warnings, "warning"));
  if (warnings < findings.size()) counts.push_back(Plural(findings.size() - warnings, "note"));
  return Join(counts, ", ");
}

// The first few names; --json has them all.
std::string SeriesText(const std::vector<std::string>& series) {
  constexpr std::size_t kShown = 4;
  const std::size_t shown = series.size() > kShown + 1 ? kShown : series.size();
  std::string text =
      Printable(Join({series.begin(), series.begin() + static_cast<std::ptrdiff_t>(shown)}, ", "));
  if (shown < series.size()) text += fmt::format(" and {} more", series.size() - shown);
  return text;
}

std::string OneFinding(const Finding& finding, const Paint& paint, std::size_t width) {
  constexpr std::size_t kIndent = 11;
  const bool warning = IsWarning(finding);
  std::string out = "  " +
                    paint(warning ? Ink::kWarn : Ink::kDim, warning ? "warning" : "note   ") +
                    "  " + finding.code + "\n";
  out += Indented(Printable(finding.text), kIndent, Ink::kPlain, paint, width);
  std::string where = SeriesText(finding.series);
  if (!finding.source.empty()) where += (where.empty() ? "see " : "; see ") + finding.source;
  if (!where.empty()) out += Indented(where, kIndent, Ink::kDim, paint, width);
  return out;
}

}  // namespace

std::string SectionHeading(std::string_view title, std::string_view remark, const Paint& paint) {
  std::string out = "\n" + paint(Ink::kBold, title);
  if (!remark.empty()) out += paint(Ink::kDim, ", " + std::string(remark));
  return out + "\n";
}

std::string TtftSection(const signals::TtftDecomposition& ttft, const Paint& paint,
                        std::size_t width, bool unicode) {
  const std::string sentence = TtftSentence(ttft);
  if (sentence.empty()) return {};
  std::string out = SectionHeading(sentence, ttft.lifetime ? "since the start" : "", paint);
  Table table({{.title = ""},
               {.title = "", .align = Table::Align::kRight},
               {.title = "", .align = Table::Align::kRight},
               {.title = ""}});
  const SecondsTogether seconds(ttft);
  for (const TtftPart& part : TtftParts(ttft)) {
    table.AddRow({part.name, fmt::format("{} {}", seconds(part.seconds), seconds.unit()),
                  fmt::format("{:.1f} %", part.share * 100),
                  Bar(part.share, kPartBarWidth, unicode)});
  }
  if (!table.empty()) out += table.Render(paint, width);
  if (ttft.mixed_populations) {
    out += Indented(fmt::format("The parts cover {} requests, TTFT {}: the frontend's share is a "
                                "rough figure.",
                                FormatNumber(ttft.parts_count), FormatNumber(ttft.ttft_count)),
                    2, Ink::kDim, paint, width);
  }
  return out;
}

std::string AbsentSection(std::span<const signals::AbsentSignal> absent, const Paint& paint,
                          std::size_t width) {
  if (absent.empty()) return {};
  std::string out = SectionHeading("Not on this page", "and what that costs", paint);
  Table table({{.title = ""}, {.title = ""}});
  std::vector<std::string> silent;
  for (const signals::AbsentSignal& signal : absent) {
    std::string text = signal.cost;
    if (!signal.why.empty()) text += (text.empty() ? "" : ". ") + signal.why;
    if (text.empty()) {
      silent.push_back(signal.def->name);
    } else {
      table.AddRow({signal.def->name, text});
    }
  }
  if (!table.empty()) out += table.Render(paint, width);
  if (!silent.empty()) {
    out +=
        Indented((table.empty() ? "" : "also ") + Join(silent, ", "), 2, Ink::kDim, paint, width);
  }
  return out;
}

std::string FindingsSection(std::span<const Finding> findings, const Paint& paint,
                            std::size_t width) {
  if (findings.empty()) return {};
  std::string out = SectionHeading("Findings", CountsText(findings), paint);
  for (const Finding& finding : findings) out += OneFinding(finding, paint, width);
  return out;
}

}  // namespace firstword::cli
