#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "promql/labels.h"
#include "promql/matcher.h"

namespace firstword::promql {

// Times t with after < t <= until, as PromQL v3 windows are.
struct TimeRange {
  TimestampMs after = std::numeric_limits<TimestampMs>::min();
  TimestampMs until = std::numeric_limits<TimestampMs>::max();

  [[nodiscard]] bool Contains(TimestampMs t) const { return after < t && t <= until; }
};

// Two NaNs with a meaning, told from ordinary ones by their bits, never by
// isnan(). kStaleBits: the series ended here (Prometheus's own marker).
// kNoSampleBits: this column has no sample in this row.
inline constexpr std::uint64_t kStaleBits = 0x7ff0000000000002;
inline constexpr std::uint64_t kNoSampleBits = 0x7ff0000000000004;
inline constexpr double kStale = std::bit_cast<double>(kStaleBits);
inline constexpr double kNoSample = std::bit_cast<double>(kNoSampleBits);

[[nodiscard]] inline bool IsStale(double value) {
  return std::bit_cast<std::uint64_t>(value) == kStaleBits;
}
// True for a value to compute with: neither a stale marker nor an empty row.
[[nodiscard]] inline bool IsSample(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return bits != kStaleBits && bits != kNoSampleBits;
}

using SharedLabels = std::shared_ptr<const Labels>;
using SharedTimes = std::shared_ptr<const std::vector<TimestampMs>>;

// One series: a value for every row of its group. Floats only for now; a
// native-histogram column will be a second vector beside `values`.
struct Column {
  SharedLabels labels;         // never null; shared with the store's index
  std::vector<double> values;  // as many as the group has times
};

// Series that were sampled together (all of one target), with one time column.
struct ColumnGroup {
  SharedTimes times;  // never null; strictly ascending
  // The labels that the scraper gave to all series of the target, which tells
  // them from the exporter's own. Null where the source cannot know.
  SharedLabels target;
  std::vector<Column> columns;
};

struct SelectRequest {
  std::span<const Matcher> matchers = {};
  TimeRange range = {};
  // Over this many samples Select ends with kLimit.
  std::size_t max_samples = std::numeric_limits<std::size_t>::max();
  std::stop_token stop = {};  // ends with kCancelled
};

// Where PromQL gets its samples. Knows nothing of storage or of expressions.
// Implementations say from which threads they may be called.
class Source {
 public:
  virtual ~Source() = default;

  // Every series that matches and has a row in the range. No two columns of the
  // answer have equal labels and overlapping times. Order is not specified.
  [[nodiscard]] virtual Result<std::vector<ColumnGroup>> Select(const SelectRequest& request) = 0;

  // The label sets of those series, without samples.
  [[nodiscard]] virtual Result<std::vector<SharedLabels>> Series(const SelectRequest& request);
};

}  // namespace firstword::promql
