#include "exposition/strict_checks.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <string>
#include <unordered_set>

#include "exposition/number.h"

namespace firstword::exposition {
namespace {

using Report = std::function<void(const Series&, std::string_view)>;

std::string_view LabelOf(const Series& series, std::string_view name) {
  for (const LabelView& label : series.labels) {
    if (label.name == name) return label.value;
  }
  return {};
}

std::string_view SuffixOf(const Series& series, const Family& family) {
  return series.name.size() > family.name.size() ? series.name.substr(family.name.size())
                                                 : std::string_view();
}

bool SuffixFits(std::string_view suffix, FamilyType type, Format format) {
  const bool open = format == Format::kOpenMetrics;
  switch (type) {
    case FamilyType::kCounter:
      return open ? suffix == "_total" || suffix == "_created" : suffix.empty();
    case FamilyType::kGauge:
    case FamilyType::kStateSet:
      return suffix.empty();
    case FamilyType::kHistogram:
      return suffix == "_bucket" || suffix == "_sum" || suffix == "_count" || suffix == "_created";
    case FamilyType::kSummary:
      return suffix.empty() || suffix == "_sum" || suffix == "_count" || suffix == "_created";
    case FamilyType::kGaugeHistogram:
      return suffix == "_bucket" || suffix == "_gsum" || suffix == "_gcount";
    case FamilyType::kInfo:
      return suffix == "_info";
    case FamilyType::kUnknown:
      return true;
  }
  return true;
}

void CheckSuffixes(const Page& page, Format format, const Report& report) {
  for (const Series& series : page.series()) {
    if (series.family == kNoFamily) {
      if (format == Format::kOpenMetrics) report(series, "sample without a # TYPE of its family");
      continue;
    }
    const Family& family = page.families()[series.family];
    const std::string_view suffix = SuffixOf(series, family);
    if (!SuffixFits(suffix, family.type, format)) {
      report(series, fmt::format("sample name {} does not fit the {} {}", series.name,
                                 FamilyTypeName(family.type), family.name));
    }
  }
}

void CheckInterleaving(const Page& page, const Report& report) {
  std::unordered_set<std::uint32_t> finished;
  std::uint32_t current = kNoFamily;
  for (const Series& series : page.series()) {
    if (series.family == current) continue;
    if (current != kNoFamily) finished.insert(current);
    current = series.family;
    if (current != kNoFamily && finished.contains(current)) {
      report(series, fmt::format("family {} continues after another one began",
                                 page.families()[current].name));
    }
  }
}

struct HistogramWalk {
  const Series* last = nullptr;
  double bound = -INFINITY;
  double count = 0;
};

// A histogram is the family with all labels but le.
std::string KeyOf(const Series& series) {
  std::string key(series.name);
  std::map<std::string_view, std::string_view> labels;
  for (const LabelView& label : series.labels) {
    if (label.name != "le") labels.emplace(label.name, label.value);
  }
  for (const auto& [name, value] : labels) key += fmt::format("\x01{}\x02{}", name, value);
  return key;
}

bool IsCanonicalBound(std::string_view le) {
  return le == "+Inf" || le.find_first_of(".e") != std::string_view::npos;
}

void CheckHistograms(const Page& page, Format format, const Report& report) {
  std::map<std::string, HistogramWalk> walks;
  for (std::size_t i = 0; i < page.series().size(); ++i) {
    const Series& series = page.series()[i];
    if (series.family == kNoFamily || !series.name.ends_with("_bucket")) continue;
    if (page.families()[series.family].type != FamilyType::kHistogram) continue;
    const std::string_view le = LabelOf(series, "le");
    double bound = 0;
    if (le.empty() || !ParseNumber(le, &bound) || std::isnan(bound)) {
      report(series, "bucket without a readable le");
      continue;
    }
    if (format == Format::kOpenMetrics && !IsCanonicalBound(le)) {
      report(series, fmt::format("le=\"{}\" is not in canonical form (1.0, +Inf)", le));
    }
    HistogramWalk& walk = walks[KeyOf(series)];
    if (walk.last != nullptr && bound <= walk.bound) {
      report(series, fmt::format("bucket le=\"{}\" does not follow in ascending order", le));
    } else if (walk.last != nullptr && page.values()[i] < walk.count) {
      report(series, fmt::format("bucket le=\"{}\" counts {} but the one below counts {}", le,
                                 page.values()[i], walk.count));
    }
    walk = {&series, bound, page.values()[i]};
  }
  for (const auto& [key, walk] : walks) {
    if (!std::isinf(walk.bound)) report(*walk.last, "histogram has no bucket le=\"+Inf\"");
  }
}

}  // namespace

void CheckStrictly(const Page& page, Format format, const Report& report) {
  CheckSuffixes(page, format, report);
  if (format == Format::kOpenMetrics) CheckInterleaving(page, report);
  CheckHistograms(page, format, report);
}

}  // namespace firstword::exposition
