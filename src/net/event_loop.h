#pragma once

#include <chrono>
#include <functional>
#include <memory>

namespace firstword::net {

// One thread's loop of sockets and timers. Run() is called by the thread that
// owns it; Post() and Stop() may be called from any thread, everything else
// only from the loop's thread. Nothing that runs on it may block.
class EventLoop {
 public:
  EventLoop();
  ~EventLoop();  // ends what clients and servers on it have under way, as their own end does
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  // Returns when Stop() was called or nothing is left to do.
  void Run();
  // Handles what is ready or becomes ready within `limit`, then returns.
  void RunFor(std::chrono::milliseconds limit);
  // Ends the run under way, or else the next one.
  void Stop();

  void Post(std::move_only_function<void()> task);
  // Calls `task` once after `delay`, never early, unless the loop ends before. Tasks run in
  // the order of their times. See Timer for an alarm that can be moved and taken back.
  void After(std::chrono::nanoseconds delay, std::move_only_function<void()> task);

  // For the sources of net only.
  class Impl;
  [[nodiscard]] Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace firstword::net
