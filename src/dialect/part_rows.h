#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dialect/dialect.h"
#include "dialect/raw_pages.h"

namespace firstword::dialect {

// A value that was dropped because it cannot be one.
struct DroppedValue {
  std::size_t row = 0;
  double value = 0;
};

// One canonical series out of one part: its copies and shares collapsed, in the
// signal's unit. Rows are those of the page.
struct PartColumn {
  promql::Labels labels;  // without __name__; buckets have `le`
  std::vector<double> values;
  std::vector<std::string> series;  // raw metric names
  std::size_t copies = 1;           // in the newest row
  std::vector<DroppedValue> dropped;
  bool relayed = false;
};

// Where a part is read: one page, seen by one dialect under one prefix.
struct PartContext {
  const RawPage& page;
  const Dialect& dialect;
  const SignalDef& signal;
  std::string_view prefix;
};

// What the raw series is to the signal.
enum class PartUse : std::uint8_t { kValue, kBucket, kSum, kCount };

// `suffix` follows the part's raw name ("_bucket" of a histogram family).
[[nodiscard]] std::vector<PartColumn> ReadPartRows(const Part& part, std::string_view suffix,
                                                   PartUse use, const PartContext& context);

// The shortest text that reads back as the same number: "0.1", "1", "+Inf".
[[nodiscard]] std::string BoundText(double bound);

}  // namespace firstword::dialect
