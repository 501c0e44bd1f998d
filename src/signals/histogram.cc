#include "signals/histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace firstword::signals {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void Normalise(std::vector<Bucket>& buckets) {
  std::erase_if(buckets,
                [](const Bucket& b) { return std::isnan(b.upper) || std::isnan(b.count); });
  std::sort(buckets.begin(), buckets.end(),
            [](const Bucket& a, const Bucket& b) { return a.upper < b.upper; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    if (kept > 0 && buckets[kept - 1].upper == buckets[i].upper) {
      buckets[kept - 1].count += buckets[i].count;
    } else {
      buckets[kept++] = buckets[i];
    }
  }
  buckets.resize(kept);
  double highest = 0;
  for (Bucket& bucket : buckets) bucket.count = highest = std::max(highest, bucket.count);
}

bool SameBounds(std::span<const Bucket> a, std::span<const Bucket> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Bucket& x, const Bucket& y) { return x.upper == y.upper; });
}

// The counts below the bounds that both have. Cumulative counts at a common bound add up
// whatever the bounds between are.
std::vector<Bucket> AddCommon(std::span<const Bucket> a, std::span<const Bucket> b) {
  std::vector<Bucket> sum;
  auto at = b.begin();
  for (const Bucket& bucket : a) {
    while (at != b.end() && at->upper < bucket.upper) ++at;
    if (at != b.end() && at->upper == bucket.upper) {
      sum.push_back({bucket.upper, bucket.count + at->count});
    }
  }
  return sum;
}

std::optional<double> AddBoth(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return std::nullopt;
  return *a + *b;
}

}  // namespace

Histogram::Histogram(std::vector<Bucket> buckets, std::optional<double> sum,
                     std::optional<double> count)
    : buckets_(std::move(buckets)), sum_(sum), count_(count) {
  if (sum_ && std::isnan(*sum_)) sum_.reset();
  if (count_ && std::isnan(*count_)) count_.reset();
  Normalise(buckets_);
  // Without its +Inf bucket a page still says through _count how many lie above.
  if (!buckets_.empty() && buckets_.back().upper != kInfinity && count_) {
    buckets_.push_back({kInfinity, std::max(*count_, buckets_.back().count)});
  }
}

std::optional<double> Histogram::count() const {
  if (count_) return count_;
  if (!buckets_.empty() && buckets_.back().upper == kInfinity) return buckets_.back().count;
  return std::nullopt;
}

std::optional<double> Histogram::Mean() const {
  const std::optional<double> n = count();
  if (!sum_ || !n || *n <= 0) return std::nullopt;
  return *sum_ / *n;
}

std::optional<double> Histogram::TopBound() const {
  for (auto it = buckets_.rbegin(); it != buckets_.rend(); ++it) {
    if (it->upper != kInfinity) return it->upper;
  }
  return std::nullopt;
}

std::optional<Interval> Histogram::Quantile(double q) const {
  if (buckets_.empty() || buckets_.back().upper != kInfinity) return std::nullopt;
  const double total = buckets_.back().count;
  if (total <= 0) return std::nullopt;
  const double rank = std::clamp(q, 0.0, 1.0) * total;
  const auto at = std::find_if(buckets_.begin(), buckets_.end(),
                               [rank](const Bucket& b) { return b.count > 0 && b.count >= rank; });
  if (at != buckets_.begin()) return Interval{std::prev(at)->upper, at->upper};
  // The first bucket has no lower bound of its own; what is measured here is not negative
  // unless the bounds are.
  return Interval{at->upper > 0 ? 0.0 : -kInfinity, at->upper};
}

std::optional<double> Histogram::Interpolated(double q) const {
  const std::optional<Interval> where = Quantile(q);
  if (!where || buckets_.size() < 2) return std::nullopt;
  if (where->upper == kInfinity) return TopBound();
  if (std::isinf(where->lower)) return where->upper;
  const auto at = std::find_if(buckets_.begin(), buckets_.end(),
                               [&](const Bucket& b) { return b.upper == where->upper; });
  const double below = at == buckets_.begin() ? 0 : std::prev(at)->count;
  const double rank = std::clamp(q, 0.0, 1.0) * buckets_.back().count;
  return where->lower + (where->upper - where->lower) * (rank - below) / (at->count - below);
}

std::optional<Interval> Histogram::CountAbove(double bound) const {
  if (buckets_.empty() || buckets_.back().upper != kInfinity) return std::nullopt;
  const double total = buckets_.back().count;
  const auto at = std::find_if(buckets_.begin(), buckets_.end(),
                               [bound](const Bucket& b) { return b.upper >= bound; });
  if (at == buckets_.end()) return std::nullopt;  // bound is NaN
  if (at->upper == bound) return Interval{total - at->count, total - at->count};
  const double below = at == buckets_.begin() ? 0 : std::prev(at)->count;
  return Interval{total - at->count, total - below};
}

bool Histogram::Resolves(double q) const {
  constexpr double kRounding = 1e-9;  // 100 * (1 - 0.99) is a little less than 1
  const std::optional<double> n = count();
  return n && *n * (1 - q) >= 1 - kRounding;
}

void Histogram::Add(const Histogram& other) {
  if (buckets_.empty() && !sum_ && !count_ && !mixed_bounds_) {
    *this = other;
    return;
  }
  const std::optional<double> n = AddBoth(count(), other.count());
  if (SameBounds(buckets_, other.buckets_)) {
    for (std::size_t i = 0; i < buckets_.size(); ++i) buckets_[i].count += other.buckets_[i].count;
  } else {
    buckets_ = AddCommon(buckets_, other.buckets_);
    mixed_bounds_ = true;
  }
  mixed_bounds_ = mixed_bounds_ || other.mixed_bounds_;
  sum_ = AddBoth(sum_, other.sum_);
  count_ = n;
}

}  // namespace firstword::signals
