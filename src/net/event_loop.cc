#include "net/event_loop.h"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <csignal>
#include <memory>
#include <utility>

#include "net/event_loop_impl.h"

namespace firstword::net {

namespace asio = boost::asio;

EventLoop::EventLoop() : impl_(std::make_unique<Impl>()) {
  // A peer that hangs up must be an error of that connection, not the program's end.
  std::signal(SIGPIPE, SIG_IGN);
}

EventLoop::~EventLoop() = default;

// restart() comes after the run, not before: a Stop() that came early must not be lost.
void EventLoop::Run() {
  impl_->context.run();
  impl_->context.restart();
}

void EventLoop::RunFor(std::chrono::milliseconds limit) {
  impl_->context.run_for(limit);
  impl_->context.restart();
}

void EventLoop::Stop() { impl_->context.stop(); }

void EventLoop::Post(std::move_only_function<void()> task) {
  asio::post(impl_->context, [task = std::move(task)]() mutable { task(); });
}

// An Asio timer each: a heap of our own behind one of them was no cheaper (timer_bench.cc).
void EventLoop::After(std::chrono::nanoseconds delay, std::move_only_function<void()> task) {
  using Time = asio::steady_timer::time_point;
  const Time now = std::chrono::steady_clock::now();
  const bool never = delay > Time::max() - now;  // a sum would overflow
  auto timer =
      std::make_unique<asio::steady_timer>(impl_->context, never ? Time::max() : now + delay);
  asio::steady_timer& wait_on = *timer;
  wait_on.async_wait(
      [timer = std::move(timer), task = std::move(task)](boost::system::error_code failed) mutable {
        if (!failed) task();
      });
}

}  // namespace firstword::net
