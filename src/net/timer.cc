#include "net/timer.h"

#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <optional>
#include <utility>

#include "net/event_loop_impl.h"

namespace firstword::net {

// Shared with the waits under way: Asio may have queued one as passed when it is taken back.
class Timer::State final : public EventLoop::Impl::User,
                           public std::enable_shared_from_this<Timer::State> {
 public:
  explicit State(EventLoop::Impl& loop) : loop_(loop), alarm_(loop.context) {
    loop_.users.insert(this);
  }

  void Close() override {
    if (!alarm_) return;
    loop_.users.erase(this);
    alarm_.reset();
    Cancel();
  }

  void Arm(Time time, std::move_only_function<void()> task) {
    if (!alarm_) return;
    std::swap(task_, task);  // the old one may own the Timer, so it goes last
    alarm_->expires_at(time);
    alarm_->async_wait([self = shared_from_this(), arming = ++arming_](boost::system::error_code) {
      if (arming == self->arming_ && self->task_) std::exchange(self->task_, nullptr)();
    });
  }

  void Cancel() {
    ++arming_;
    const auto dropped = std::exchange(task_, nullptr);
    if (alarm_) alarm_->cancel();
  }

  [[nodiscard]] bool armed() const { return static_cast<bool>(task_); }

 private:
  EventLoop::Impl& loop_;
  std::optional<boost::asio::steady_timer> alarm_;  // none when the loop or the Timer ended
  std::uint64_t arming_ = 0;
  std::move_only_function<void()> task_;
};

Timer::Timer(EventLoop& loop) : state_(std::make_shared<State>(loop.impl())) {}
Timer::~Timer() { state_->Close(); }

void Timer::Arm(Time time, std::move_only_function<void()> task) {
  state_->Arm(time, std::move(task));
}

void Timer::Cancel() { state_->Cancel(); }

bool Timer::armed() const { return state_->armed(); }

}  // namespace firstword::net
