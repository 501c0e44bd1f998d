#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace firstword::simulate {

// How late the simulator is with what it promised: of each wake-up, the machine's time
// minus the time its first event was due.
class LagMeter {
 public:
  void Add(std::chrono::nanoseconds lag);

  [[nodiscard]] std::uint64_t count() const { return count_; }
  // Of the last few thousand wake-ups; 0 when there was none.
  [[nodiscard]] std::chrono::nanoseconds Quantile(double q) const;
  [[nodiscard]] std::chrono::nanoseconds worst() const { return worst_; }
  // Late by more than a token's own scale: what is measured here is no longer the model's.
  [[nodiscard]] bool behind() const;

 private:
  std::vector<std::chrono::nanoseconds> recent_;  // a ring
  std::size_t next_ = 0;
  std::uint64_t count_ = 0;
  std::chrono::nanoseconds worst_{};
};

}  // namespace firstword::simulate
