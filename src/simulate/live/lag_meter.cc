#include "simulate/live/lag_meter.h"

#include <algorithm>

namespace firstword::simulate {
namespace {

constexpr std::size_t kKept = 4096;
// A fifth of a usual gap between tokens.
constexpr std::chrono::milliseconds kTolerated{5};

}  // namespace

void LagMeter::Add(std::chrono::nanoseconds lag) {
  lag = std::max(lag, std::chrono::nanoseconds{});
  ++count_;
  worst_ = std::max(worst_, lag);
  if (recent_.size() < kKept) {
    recent_.push_back(lag);
  } else {
    recent_[next_] = lag;
    next_ = (next_ + 1) % kKept;
  }
}

std::chrono::nanoseconds LagMeter::Quantile(double q) const {
  if (recent_.empty()) return {};
  std::vector<std::chrono::nanoseconds> sorted = recent_;
  const auto at = static_cast<std::ptrdiff_t>(q * static_cast<double>(sorted.size() - 1));
  std::ranges::nth_element(sorted, sorted.begin() + at);
  return sorted[static_cast<std::size_t>(at)];
}

bool LagMeter::behind() const { return count_ >= 100 && Quantile(0.99) > kTolerated; }

}  // namespace firstword::simulate
