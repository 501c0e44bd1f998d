#include "exposition/strict_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace firstword::exposition {
namespace {

using Suffixes = std::span<const std::string_view>;

constexpr std::string_view kTextCounter[] = {""};
constexpr std::string_view kCounter[] = {"_total", "_created"};
constexpr std::string_view kHistogram[] = {"_bucket", "_sum", "_count", "_created"};
constexpr std::string_view kGaugeHistogram[] = {"_bucket", "_gsum", "_gcount"};
constexpr std::string_view kInfo[] = {"_info"};

// What follows the family's name in its samples' names, the most usual first; empty for
// types that FamilyTable gives fitting samples only.
Suffixes SuffixesOf(FamilyType type, Format format) {
  switch (type) {
    case FamilyType::kCounter:
      return format == Format::kText ? Suffixes(kTextCounter) : Suffixes(kCounter);
    case FamilyType::kHistogram:
      return kHistogram;
    case FamilyType::kGaugeHistogram:
      return kGaugeHistogram;
    case FamilyType::kInfo:
      return kInfo;
    case FamilyType::kSummary:
    case FamilyType::kGauge:
    case FamilyType::kStateSet:
    case FamilyType::kUnknown:
      break;
  }
  return {};
}

// What is wrong with a sample's name, "" when nothing is.
std::string CheckName(std::string_view name, const Family& family, Format format) {
  const Suffixes suffixes = SuffixesOf(family.type, format);
  const std::string_view suffix = name.substr(family.name.size());
  if (suffixes.empty() || std::find(suffixes.begin(), suffixes.end(), suffix) != suffixes.end()) {
    return {};
  }
  const std::string_view type = FamilyTypeName(family.type);
  if (suffix.empty() && family.name.ends_with(suffixes[0])) {
    return fmt::format("the {} {} must be declared without its suffix: # TYPE {} {}", type, name,
                       family.name.substr(0, family.name.size() - suffixes[0].size()), type);
  }
  return fmt::format("a sample of the {} {} must be named {}{}, not {}", type, family.name,
                     family.name, suffixes[0], name);
}

void CheckNames(const ReadPage& read, FaultList* faults) {
  faults->StartPass();
  for (const Series& series : read.page.series()) {
    if (series.family == kNoFamily) continue;
    const Family& family = read.page.families()[series.family];
    std::string problem = CheckName(series.name, family, read.format);
    if (!problem.empty()) faults->Add(read.FaultOf(series, series.name, std::move(problem)));
  }
}

void CheckOrder(const ReadPage& read, FaultList* faults) {
  faults->StartPass();
  std::vector<std::uint32_t> last_lines(read.page.families().size(), 0);
  std::uint32_t current = kNoFamily;
  for (const Series& series : read.page.series()) {
    if (series.family == current) continue;
    current = series.family;
    if (current == kNoFamily) continue;
    const Family& family = read.page.families()[current];
    std::uint32_t& began = last_lines[current];
    if (began == 0) {
      began = series.line;
      if (read.type_lines[current] > series.line) {
        faults->Add(
            read.FaultOf(series, series.name,
                         fmt::format("the # TYPE of {} on line {} must stand before its samples",
                                     family.name, read.type_lines[current])));
      }
    } else if (read.format == Format::kOpenMetrics) {
      faults->Add(read.FaultOf(
          series, series.name,
          fmt::format("family {}, begun on line {}, goes on after another one; keep it together",
                      family.name, began)));
    }
  }
}

}  // namespace

Fault ReadPage::FaultOf(const Series& series, std::string_view part, std::string message) const {
  const auto offset = [&](std::string_view view) {
    return std::less_equal<>()(text.data(), view.data()) &&
                   std::less<>()(view.data(), text.data() + text.size())
               ? static_cast<std::size_t>(view.data() - text.data())
               : std::string_view::npos;
  };
  const std::size_t name_at = offset(series.name);
  std::size_t at = offset(part);
  if (at == std::string_view::npos) at = name_at;
  if (at == std::string_view::npos || name_at == std::string_view::npos) {
    return {series.line, 1, std::move(message)};
  }
  // A quoted name may stand behind labels whose values span lines.
  const std::string_view between =
      text.substr(std::min(name_at, at), at > name_at ? at - name_at : 0);
  const std::size_t newline = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  const std::size_t column = newline == std::string_view::npos ? at + 1 : at - newline;
  return {
      series.line + static_cast<std::uint32_t>(std::count(between.begin(), between.end(), '\n')),
      static_cast<std::uint32_t>(column), std::move(message)};
}

void CheckStrictly(const ReadPage& read, FaultList* faults) {
  CheckNames(read, faults);
  CheckOrder(read, faults);
  CheckHistograms(read, faults);
}

}  // namespace firstword::exposition
