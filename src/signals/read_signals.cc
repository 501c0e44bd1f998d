#include "signals/read_signals.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "signals/windowed_histogram.h"

namespace firstword::signals {
namespace {

using dialect::RankRule;
using dialect::SignalType;

// What all label sets of a signal have in common: where it comes from and how sound it is.
void DescribeSource(std::span<const SignalColumn> columns, SignalValue& value) {
  std::set<std::string> names;
  for (const SignalColumn& column : columns) {
    for (std::size_t row = column.data.values.size(); row-- > 0;) {
      if (!promql::IsSample(column.data.values[row])) continue;
      value.newest = std::max(value.newest, (*column.times)[row]);
      break;
    }
    value.copies = std::max(value.copies, column.data.copies);
    value.dropped += column.data.dropped;
    if (column.data.dropped > 0) value.last_dropped = column.data.last_dropped;
    if (column.data.origins.empty()) continue;
    const dialect::Origin& origin = column.data.origins.back();
    names.insert(origin.series.begin(), origin.series.end());
    if (origin.dialect != nullptr) value.dialect = origin.dialect->name;
    if (origin.alternative != nullptr) {
      value.population = origin.alternative->population;
      value.note = origin.alternative->note;
    }
  }
  value.source.assign(names.begin(), names.end());
}

void ReadGauge(std::span<const SignalColumn> columns, SignalValue& value) {
  std::vector<double> present;
  for (const SignalColumn& column : columns) {
    LabelledValue one{.labels = column.labels, .value = {}, .change = {}, .histogram = {}};
    if (column.alive()) {
      one.value = column.newest_value();
      present.push_back(*one.value);
    }
    value.by.push_back(std::move(one));
  }
  value.value = Combine(present, value.def->ranks);
  if (value.def->ranks == RankRule::kMax && present.size() > 1) {
    value.mean =
        std::accumulate(present.begin(), present.end(), 0.0) / static_cast<double>(present.size());
  }
}

void ReadCounter(std::span<const SignalColumn> columns, SignalValue& value) {
  for (const SignalColumn& column : columns) {
    LabelledValue one{.labels = column.labels, .value = {}, .change = {}, .histogram = {}};
    if (column.alive()) {
      one.value = column.newest_value();
      value.value = value.value.value_or(0) + *one.value;
    }
    one.change = ChangeOf(*column.times, column.data.values);
    if (one.change) {
      value.increase = value.increase.value_or(0) + one.change->increase;
      value.rate = value.rate.value_or(0) + one.change->Rate();
      value.reset = value.reset || one.change->reset;
    }
    value.by.push_back(std::move(one));
  }
}

void ReadHistogram(std::span<const SignalColumn> columns, SignalValue& value) {
  std::map<promql::Labels, std::vector<const SignalColumn*>> by_labels;
  for (const SignalColumn& column : columns) by_labels[column.labels].push_back(&column);

  std::vector<WindowedHistogram> windows;
  windows.reserve(by_labels.size());
  for (const auto& [labels, group] : by_labels) windows.push_back(WindowOf(group));
  // A rank that was born in the newest row has no window yet; its whole life must not be
  // added to what the others did in theirs.
  const bool any_window = std::any_of(windows.begin(), windows.end(),
                                      [](const WindowedHistogram& w) { return !w.lifetime; });
  std::size_t at = 0;
  for (const auto& [labels, group] : by_labels) {
    WindowedHistogram& window = windows[at++];
    value.reset = value.reset || window.reset;
    value.invalid_sum = value.invalid_sum || window.invalid_sum;
    if (window.histogram && window.lifetime != any_window) {
      if (!value.histogram) value.histogram.emplace();
      value.histogram->Add(*window.histogram);
    }
    value.by.push_back(
        {.labels = labels, .value = {}, .change = {}, .histogram = std::move(window.histogram)});
  }
  value.lifetime = !any_window;
}

SignalValue ValueOf(std::span<const SignalColumn> columns) {
  SignalValue value;
  value.def = columns.front().def;
  DescribeSource(columns, value);
  switch (value.def->type) {
    case SignalType::kGauge:
      ReadGauge(columns, value);
      break;
    case SignalType::kCounter:
      ReadCounter(columns, value);
      break;
    case SignalType::kHistogram:
      ReadHistogram(columns, value);
      break;
  }
  return value;
}

}  // namespace

const SignalValue* ReplicaSignals::Find(std::string_view signal) const {
  const auto at = values.find(signal);
  return at == values.end() ? nullptr : &at->second;
}

ReplicaSignals SignalsOf(const ReplicaRows& rows) {
  ReplicaSignals signals{.key = rows.key,
                         .labels = rows.common,
                         .from = rows.from,
                         .until = rows.until,
                         .rows = rows.rows,
                         .values = {}};
  for (const auto& [name, columns] : rows.columns) signals.values.emplace(name, ValueOf(columns));
  return signals;
}

Result<std::vector<ReplicaSignals>> ReadSignals(dialect::CanonicalSource& source,
                                                promql::TimeRange window) {
  const auto rows = ReadRows(source, window);
  if (!rows) return std::unexpected(rows.error());
  std::vector<ReplicaSignals> replicas;
  for (const ReplicaRows& one : *rows) replicas.push_back(SignalsOf(one));
  return replicas;
}

}  // namespace firstword::signals
