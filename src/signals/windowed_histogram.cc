#include "signals/windowed_histogram.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace firstword::signals {
namespace {

using Component = dialect::Catalog::Component;
using Columns = std::span<const SignalColumn* const>;

bool HasValue(const SignalColumn& column, std::size_t row) {
  if (row >= column.data.values.size()) return false;
  const double value = column.data.values[row];
  return promql::IsSample(value) && !std::isnan(value);
}

struct Step {
  std::size_t from;
  std::size_t to;
  bool reset;
};

bool Fell(const SignalColumn& column, std::size_t from, std::size_t to) {
  return HasValue(column, from) && HasValue(column, to) &&
         column.data.values[to] < column.data.values[from];
}

// A sum falls by negative observations too, so it proves a restart only where nothing
// else is exported.
bool Restarted(Columns columns, std::size_t from, std::size_t to) {
  const bool only_sum = std::all_of(columns.begin(), columns.end(), [](const SignalColumn* c) {
    return c->component == Component::kSum;
  });
  return std::any_of(columns.begin(), columns.end(), [&](const SignalColumn* column) {
    return (only_sum || column->component != Component::kSum) && Fell(*column, from, to);
  });
}

// Two rows that follow each other among those where the histogram is on the page.
std::vector<Step> StepsOf(Columns columns) {
  std::vector<Step> steps;
  std::optional<std::size_t> previous;
  const std::size_t rows = columns.front()->data.values.size();
  for (std::size_t row = 0; row < rows; ++row) {
    const auto has = [row](const SignalColumn* column) { return HasValue(*column, row); };
    if (!std::any_of(columns.begin(), columns.end(), has)) continue;
    if (previous) steps.push_back({*previous, row, Restarted(columns, *previous, row)});
    previous = row;
  }
  return steps;
}

// nullopt when no step has a value at both ends (or, after a restart, at its end).
std::optional<double> Increase(const SignalColumn& column, std::span<const Step> steps) {
  std::optional<double> sum;
  for (const Step& step : steps) {
    if (!HasValue(column, step.to)) continue;
    const double to = column.data.values[step.to];
    if (step.reset) {
      sum = sum.value_or(0) + to;
    } else if (HasValue(column, step.from)) {
      sum = sum.value_or(0) + to - column.data.values[step.from];
    }
  }
  return sum;
}

template <typename ValueOf>
std::optional<Histogram> Assemble(Columns columns, ValueOf value_of) {
  std::vector<Bucket> buckets;
  std::optional<double> sum;
  std::optional<double> count;
  for (const SignalColumn* column : columns) {
    const std::optional<double> value = value_of(*column);
    if (!value) continue;
    if (column->component == Component::kBucket) buckets.push_back({column->le, *value});
    if (column->component == Component::kSum) sum = value;
    if (column->component == Component::kCount) count = value;
  }
  if (buckets.empty() && !sum && !count) return std::nullopt;
  return Histogram(std::move(buckets), sum, count);
}

bool SumFell(Columns columns, const Step& step) {
  return std::any_of(columns.begin(), columns.end(), [&](const SignalColumn* column) {
    return column->component == Component::kSum && Fell(*column, step.from, step.to);
  });
}

}  // namespace

WindowedHistogram WindowOf(Columns columns) {
  WindowedHistogram window;
  if (columns.empty()) return window;
  const std::vector<Step> steps = StepsOf(columns);
  if (steps.empty()) {
    window.lifetime = true;
    window.histogram = Assemble(columns, [](const SignalColumn& column) {
      return column.alive() ? std::optional(column.newest_value()) : std::nullopt;
    });
    return window;
  }
  window.histogram =
      Assemble(columns, [&](const SignalColumn& column) { return Increase(column, steps); });
  for (const Step& step : steps) {
    window.reset = window.reset || step.reset;
    window.invalid_sum = window.invalid_sum || (!step.reset && SumFell(columns, step));
  }
  return window;
}

}  // namespace firstword::signals
