#include <algorithm>
#include <cmath>

#include "promql/source.h"
#include "signals/value.h"

namespace firstword::signals {

std::optional<CounterChange> ChangeOf(std::span<const TimestampMs> times,
                                      std::span<const double> values) {
  CounterChange change;
  TimestampMs first_time = 0;
  TimestampMs last_time = 0;
  std::size_t samples = 0;
  for (std::size_t i = 0; i < std::min(times.size(), values.size()); ++i) {
    if (!promql::IsSample(values[i]) || std::isnan(values[i])) continue;
    if (samples++ == 0) {
      change.first = values[i];
      first_time = times[i];
    } else if (values[i] < change.last) {
      change.increase += values[i];
      change.reset = true;
      change.reset_after = last_time;
      change.reset_before = times[i];
    } else {
      change.increase += values[i] - change.last;
    }
    change.last = values[i];
    last_time = times[i];
  }
  if (samples < 2) return std::nullopt;
  change.seconds = static_cast<double>(last_time - first_time) / 1000;
  return change;
}

}  // namespace firstword::signals
