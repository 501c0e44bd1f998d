#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <vector>

#include "exposition/number.h"
#include "exposition/strict_checks.h"

namespace firstword::exposition {
namespace {

// How far one histogram's buckets have been walked.
struct Walk {
  const Series* last = nullptr;
  double bound = 0;
  double count = 0;
};

const LabelView* FindLabel(const Series& series, std::string_view name) {
  const auto at = std::find_if(series.labels.begin(), series.labels.end(),
                               [&](const LabelView& label) { return label.name == name; });
  return at == series.labels.end() ? nullptr : &*at;
}

// A histogram is the buckets' name with all labels but le, whatever their order.
std::string HistogramOf(const Series& series) {
  std::vector<LabelView> labels;
  for (const LabelView& label : series.labels) {
    if (label.name != "le") labels.push_back(label);
  }
  std::sort(labels.begin(), labels.end(),
            [](const LabelView& a, const LabelView& b) { return a.name < b.name; });
  std::string key(series.name);
  for (const LabelView& label : labels) {
    // Lengths part the texts, which may hold any byte.
    fmt::format_to(std::back_inserter(key), "{},{},{}{}", label.name.size(), label.value.size(),
                   label.name, label.value);
  }
  return key;
}

bool IsCanonicalBound(std::string_view le, double bound, Format format) {
  if (std::isinf(bound)) return le == (bound > 0 ? "+Inf" : "-Inf");
  if (format == Format::kText) return true;
  return !le.starts_with('+') && le.find_first_of(".e") != std::string_view::npos;
}

std::string CanonicalBound(double bound) {
  if (std::isinf(bound)) return bound > 0 ? "+Inf" : "-Inf";
  std::string text = fmt::format("{}", bound);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

// What is wrong with a bucket that follows `before`; "" when nothing is.
std::string CheckStep(const Walk& before, std::string_view le, double bound, double count) {
  if (before.last == nullptr) return {};
  if (bound == before.bound) {
    return fmt::format("bucket le=\"{}\" repeats the bound of line {}", le, before.last->line);
  }
  if (bound < before.bound) {
    return fmt::format("bucket le=\"{}\" stands behind a larger bound; sort them", le);
  }
  if (count < before.count) {
    return fmt::format(
        "bucket le=\"{}\" counts {}, less than the {} of the bucket below; "
        "buckets are cumulative",
        le, count, before.count);
  }
  return {};
}

bool IsBucket(const Series& series, const Page& page) {
  if (series.family == kNoFamily || !series.name.ends_with("_bucket")) return false;
  const FamilyType type = page.families()[series.family].type;
  return type == FamilyType::kHistogram || type == FamilyType::kGaugeHistogram;
}

void CheckEnds(const ReadPage& read, const std::unordered_map<std::string, Walk>& walks,
               FaultList* faults) {
  faults->StartPass();
  std::vector<const Series*> cut;
  for (const auto& [key, walk] : walks) {
    if (walk.bound != INFINITY) cut.push_back(walk.last);
  }
  std::sort(cut.begin(), cut.end());  // series lie in page order
  for (const Series* last : cut) {
    faults->Add(
        read.FaultOf(*last, last->name, "the histogram ends here without a bucket le=\"+Inf\""));
  }
}

}  // namespace

void CheckHistograms(const ReadPage& read, FaultList* faults) {
  faults->StartPass();
  std::unordered_map<std::string, Walk> walks;
  for (std::size_t i = 0; i < read.page.series().size(); ++i) {
    const Series& series = read.page.series()[i];
    if (!IsBucket(series, read.page)) continue;
    const LabelView* const label = FindLabel(series, "le");
    double bound = 0;
    if (label == nullptr || !ParseNumber(label->value, &bound) || std::isnan(bound)) {
      const std::string_view where = label == nullptr ? series.name : label->name;
      faults->Add(read.FaultOf(series, where, "a bucket needs a number as its label le"));
      continue;
    }
    const std::string_view le = label->value;
    if (!IsCanonicalBound(le, bound, read.format)) {
      faults->Add(read.FaultOf(
          series, label->name,
          fmt::format("le=\"{}\" is not canonical; write le=\"{}\"", le, CanonicalBound(bound))));
    }
    Walk& walk = walks[HistogramOf(series)];
    const double count = read.page.values()[i];
    std::string problem = CheckStep(walk, le, bound, count);
    if (!problem.empty()) faults->Add(read.FaultOf(series, label->name, std::move(problem)));
    walk = {&series, walk.last == nullptr ? bound : std::max(bound, walk.bound), count};
  }
  CheckEnds(read, walks, faults);
}

}  // namespace firstword::exposition
