#pragma once

#include <chrono>

namespace firstword::simulate {

// Time on the simulation's own clock, counted from its start. Nothing below src/simulate
// reads the machine's clock but the real-time driver.
using SimTime = std::chrono::nanoseconds;

inline constexpr SimTime kNever = SimTime::max();

[[nodiscard]] constexpr double Seconds(SimTime t) {
  return std::chrono::duration<double>(t).count();
}
// At most thirty years either way, so that sums of a few stay within range.
[[nodiscard]] constexpr SimTime FromSeconds(double seconds) {
  constexpr double kMost = 1e9;
  if (!(seconds < kMost)) seconds = kMost;
  if (seconds < -kMost) seconds = -kMost;
  return SimTime(static_cast<SimTime::rep>(seconds * 1e9));
}

}  // namespace firstword::simulate
