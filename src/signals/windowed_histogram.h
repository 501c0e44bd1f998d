#pragma once

#include <optional>
#include <span>

#include "signals/histogram.h"
#include "signals/replica_rows.h"

namespace firstword::signals {

// The histogram of one label set, from its _bucket, _sum and _count columns.
struct WindowedHistogram {
  std::optional<Histogram> histogram;
  bool lifetime = false;     // since the start: there are not two rows to compare
  bool reset = false;        // the engine restarted in the window
  bool invalid_sum = false;  // _sum fell while _count did not
};

// All columns must belong to one label set. The columns of one histogram restart
// together, so one fall of the count (or of a bucket) is a restart of all of them; a
// fall of _sum alone is a negative observation and is subtracted.
[[nodiscard]] WindowedHistogram WindowOf(std::span<const SignalColumn* const> columns);

}  // namespace firstword::signals
