#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "net/event_loop.h"

namespace firstword::net {

// One alarm that can be set again and again, for an owner that waits for its next event; it
// ends with its owner. Loop thread only. It may be destroyed or armed in its own task, and
// outlive the loop, which drops the task.
class Timer {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit Timer(EventLoop& loop);
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  // Calls `task` once at `time`, never before it, late by what the kernel needs (tens of
  // microseconds). Replaces what was armed. A time in the past: at the next turn of the loop.
  void Arm(Time time, std::move_only_function<void()> task);
  void Cancel();
  [[nodiscard]] bool armed() const;

 private:
  class State;
  std::shared_ptr<State> state_;
};

}  // namespace firstword::net
