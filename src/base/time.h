#pragma once

#include <chrono>
#include <cstdint>

namespace firstword {

// Milliseconds since 1970-01-01 UTC, as Prometheus counts sample times.
using TimestampMs = std::int64_t;

// Where time comes from. Tests inject their own; nothing else calls now().
class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual TimestampMs NowMs() const = 0;
};

class SystemClock final : public Clock {
 public:
  [[nodiscard]] TimestampMs NowMs() const override {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  }
};

}  // namespace firstword
