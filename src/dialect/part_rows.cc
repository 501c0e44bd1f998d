#include "dialect/part_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "dialect/label_rules.h"

namespace firstword::dialect {
namespace {

using promql::IsSample;
using promql::IsStale;
using promql::Labels;

std::optional<double> ParseNumber(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || at != end) return std::nullopt;
  return number;
}

// The product of the labels' numbers; nullopt when one is missing or "None".
std::optional<double> ProductOf(const std::vector<std::string>& names, const Labels& labels) {
  double product = 1;
  for (const std::string& name : names) {
    const std::optional<double> number = ParseNumber(labels.Get(name));
    if (!number || !std::isfinite(*number)) return std::nullopt;
    product *= *number;
  }
  return product;
}

// Raw series that repeat one value: the greatest is taken.
struct CopySet {
  std::vector<double> values;
  std::size_t in_newest_row = 0;

  void Take(std::vector<double> more) {
    if (!more.empty() && IsSample(more.back())) ++in_newest_row;
    if (values.empty()) {
      values = std::move(more);
      return;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!IsSample(more[i])) {
        if (IsStale(more[i]) && !IsSample(values[i])) values[i] = more[i];
      } else if (!IsSample(values[i]) || !(values[i] >= more[i])) {
        values[i] = more[i];
      }
    }
  }
};

void AddInto(std::vector<double>& sum, const std::vector<double>& more) {
  for (std::size_t i = 0; i < sum.size(); ++i) {
    if (IsSample(more[i])) {
      sum[i] = IsSample(sum[i]) ? sum[i] + more[i] : more[i];
    } else if (IsStale(more[i]) && !IsSample(sum[i])) {
      sum[i] = more[i];
    }
  }
}

// One canonical series in the making.
struct Gathering {
  std::map<std::string, CopySet> shares;
  std::vector<std::string> series;
  std::vector<DroppedValue> dropped;
  bool relayed = false;
};

// Not a number, no finite one, or a count of things below nothing. Sums may be negative:
// clocks that jump make negative durations, which is a finding of its own.
bool IsImpossible(double value, PartUse use, SignalType type) {
  if (!std::isfinite(value)) return true;
  const bool counts = use == PartUse::kCount || use == PartUse::kBucket ||
                      (use == PartUse::kValue && type == SignalType::kCounter);
  return counts && value < 0;
}

// Raw numbers into the signal's unit; what is or means "no value" is dropped.
std::vector<double> Convert(const RawSeries& raw, const Part& part, PartUse use, SignalType type,
                            std::vector<DroppedValue>& dropped) {
  std::vector<double> values = raw.values;
  std::optional<double> fixed;
  if (!part.value_from_labels.empty()) {
    fixed = ProductOf(part.value_from_labels, *raw.labels);
    if (!fixed) return std::vector<double>(values.size(), promql::kNoSample);
  }
  const bool scales = part.scale != 1 && (use == PartUse::kValue || use == PartUse::kSum);
  const Rescaler rescale(part.scale);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!IsSample(values[i])) continue;
    if (fixed) values[i] = *fixed;
    if (IsImpossible(values[i], use, type) ||
        std::ranges::find(part.ignore, values[i]) != part.ignore.end()) {
      dropped.push_back({i, values[i]});
      values[i] = promql::kNoSample;
    } else if (scales) {
      values[i] = rescale(values[i]);
    }
  }
  return values;
}

PartColumn Collapse(const Labels& labels, Gathering gathering) {
  PartColumn column{.labels = labels,
                    .values = {},
                    .series = std::move(gathering.series),
                    .copies = 1,
                    .dropped = std::move(gathering.dropped),
                    .relayed = gathering.relayed};
  for (auto& [share, copies] : gathering.shares) {
    column.copies = std::max(column.copies, copies.in_newest_row);
    if (column.values.empty()) {
      column.values = std::move(copies.values);
    } else {
      AddInto(column.values, copies.values);
    }
  }
  return column;
}

std::vector<PartColumn> ReadSelected(const Part& part, const Selector& selector,
                                     std::string_view suffix, PartUse use,
                                     const PartContext& context) {
  const std::string name = selector.NameUnder(context.prefix) + std::string(suffix);
  const Rescaler rescale(part.scale);
  std::map<Labels, Gathering> gatherings;
  for (const RawSeries* raw : context.page.Named(name)) {
    if (!promql::MatchesAll(selector.matchers, *raw->labels)) continue;
    MappedLabels mapped = MapLabels(*raw->labels, context.page.target().get(), context.dialect,
                                    part, context.signal, use == PartUse::kBucket);
    if (use == PartUse::kBucket) {
      const std::optional<double> bound = ParseNumber(raw->labels->Get("le"));
      if (!bound) continue;
      mapped.labels.Set("le", BoundText(rescale(*bound)));
    }
    Gathering& gathering = gatherings[std::move(mapped.labels)];
    gathering.relayed = mapped.relayed;
    gathering.series = {name};
    gathering.shares[std::move(mapped.share)].Take(
        Convert(*raw, part, use, context.signal.type, gathering.dropped));
  }
  std::vector<PartColumn> columns;
  for (auto& [labels, gathering] : gatherings) {
    columns.push_back(Collapse(labels, std::move(gathering)));
  }
  return columns;
}

bool Contains(const Labels& all, const Labels& some) {
  return std::ranges::includes(all.all(), some.all());
}

// Counters that appear only with their first event are 0 while the engine shows
// that it is up. A column that says more than the marker (an outcome) counts.
void FillZeros(const PartColumn& marker, std::vector<PartColumn>& columns) {
  PartColumn zeros = marker;
  bool any = false;
  for (std::size_t i = 0; i < zeros.values.size(); ++i) {
    const bool covered =
        !IsSample(marker.values[i]) || std::ranges::any_of(columns, [&](const PartColumn& column) {
          return IsSample(column.values[i]) && Contains(column.labels, marker.labels);
        });
    zeros.values[i] = covered ? promql::kNoSample : 0;
    any = any || !covered;
  }
  if (!any) return;
  const auto same = std::ranges::find(columns, marker.labels, &PartColumn::labels);
  if (same == columns.end()) {
    zeros.copies = 1;
    columns.push_back(std::move(zeros));
    return;
  }
  for (std::size_t i = 0; i < zeros.values.size(); ++i) {
    if (IsSample(zeros.values[i])) same->values[i] = 0;
  }
}

}  // namespace

std::string BoundText(double bound) {
  if (std::isinf(bound)) return bound > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", bound);
}

std::vector<PartColumn> ReadPartRows(const Part& part, std::string_view suffix, PartUse use,
                                     const PartContext& context) {
  std::vector<PartColumn> columns = ReadSelected(part, part.series, suffix, use, context);
  if (!part.zero_when) return columns;
  Part presence = part;
  presence.value_from_labels.clear();
  presence.ignore.clear();
  for (const PartColumn& marker :
       ReadSelected(presence, *part.zero_when, "", PartUse::kCount, context)) {
    FillZeros(marker, columns);
  }
  return columns;
}

}  // namespace firstword::dialect
