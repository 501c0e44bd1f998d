#pragma once

#include <optional>
#include <span>
#include <vector>

namespace firstword::signals {

// What is known of a quantile: it lies in [lower, upper]. upper is +Inf when the
// rank falls into the top bucket: "at least lower".
struct Interval {
  double lower = 0;
  double upper = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

struct Bucket {
  double upper = 0;  // inclusive bound, +Inf for the last
  double count = 0;  // observations at or below it
};

// A classic histogram over some window: bounds ascending, counts cumulative and
// never falling. Sum, count and buckets may each be missing, as engines export
// them on their own.
class Histogram {
 public:
  Histogram() = default;
  // `buckets` in any order; equal bounds are added, dips are raised (they come from
  // torn scrapes).
  Histogram(std::vector<Bucket> buckets, std::optional<double> sum, std::optional<double> count);

  // The number of observations, from _count or the +Inf bucket. nullopt: unknown.
  [[nodiscard]] std::optional<double> count() const;
  [[nodiscard]] std::optional<double> sum() const { return sum_; }
  // nullopt when sum or count is missing or nothing was observed.
  [[nodiscard]] std::optional<double> Mean() const;
  [[nodiscard]] std::span<const Bucket> buckets() const { return buckets_; }
  // Highest finite bound; nullopt without one.
  [[nodiscard]] std::optional<double> TopBound() const;

  // Where the q-quantile (0..1) lies. nullopt without buckets or observations.
  [[nodiscard]] std::optional<Interval> Quantile(double q) const;
  // The point PromQL's histogram_quantile() would print: linear inside the bucket,
  // the top finite bound when it falls above. Only for comparison with other tools.
  [[nodiscard]] std::optional<double> Interpolated(double q) const;
  // How many observations exceed `bound`: exact on a bucket's edge, else an interval.
  [[nodiscard]] std::optional<Interval> CountAbove(double bound) const;
  // True when at least one observation is expected beyond the quantile: p99 needs
  // 100. Otherwise the figure is the tail of a handful of requests.
  [[nodiscard]] bool Resolves(double q) const;

  // Adds another replica's (or rank's) observations. Where the bounds differ only the
  // common ones are kept and mixed_bounds() is set: the quantile gets wider, not wrong.
  void Add(const Histogram& other);
  [[nodiscard]] bool mixed_bounds() const { return mixed_bounds_; }

 private:
  std::vector<Bucket> buckets_;
  std::optional<double> sum_;
  std::optional<double> count_;
  bool mixed_bounds_ = false;
};

}  // namespace firstword::signals
