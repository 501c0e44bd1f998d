#include "net/timer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <vector>

namespace firstword::net {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;

TEST(TimerTest, RunsInTheOrderOfTimesAndNeverEarly) {
  EventLoop loop;
  std::mt19937 random(7);
  std::vector<Clock::time_point> ran;
  std::vector<std::unique_ptr<Timer>> timers;
  const Clock::time_point start = Clock::now();
  for (int i = 0; i < 2000; ++i) {
    const Clock::time_point due = start + microseconds(random() % 10'000);
    timers.push_back(std::make_unique<Timer>(loop));
    timers.back()->Arm(due, [&ran, due] {
      EXPECT_GE(Clock::now(), due);
      ran.push_back(due);
    });
  }
  loop.Run();
  EXPECT_EQ(ran.size(), timers.size());
  EXPECT_TRUE(std::ranges::is_sorted(ran));
}

TEST(TimerTest, AfterTakesMicrosecondsAndIsNotRoundedToMilliseconds) {
  EventLoop loop;
  // The quickest of many: a busy machine may be late, but not every time.
  auto quickest = std::chrono::nanoseconds(hours(1));
  for (int i = 0; i < 200; ++i) {
    const Clock::time_point start = Clock::now();
    loop.After(microseconds(150), [&] {
      const auto took = Clock::now() - start;
      EXPECT_GE(took, microseconds(150));
      quickest = std::min(quickest, took);
    });
    loop.Run();
  }
  EXPECT_LT(quickest, microseconds(900));
}

TEST(TimerTest, AfterTakesAnyDelay) {
  EventLoop loop;
  int ran = 0;
  loop.After(milliseconds(-5), [&] { ++ran; });
  loop.After(std::chrono::nanoseconds::min(), [&] { ++ran; });
  loop.After(std::chrono::nanoseconds::max(), [&] { ran += 100; });
  loop.After(milliseconds(1), [&] { loop.Stop(); });
  loop.Run();
  EXPECT_EQ(ran, 2);
}

TEST(TimerTest, ReplacesAndCancels) {
  EventLoop loop;
  Timer timer(loop);
  std::vector<int> ran;
  const Clock::time_point now = Clock::now();
  timer.Arm(now + hours(1), [&] { ran.push_back(1); });
  timer.Arm(now, [&] { ran.push_back(2); });
  EXPECT_TRUE(timer.armed());
  Timer cancelled(loop);
  cancelled.Arm(now, [&] { ran.push_back(3); });
  cancelled.Cancel();
  cancelled.Cancel();
  EXPECT_FALSE(cancelled.armed());
  std::optional<Timer> destroyed(std::in_place, loop);
  destroyed->Arm(now, [&] { ran.push_back(4); });
  destroyed.reset();
  loop.Run();  // returns, as nothing is armed
  EXPECT_EQ(ran, std::vector<int>{2});
  EXPECT_FALSE(timer.armed());
}

TEST(TimerTest, MayBeArmedCancelledAndDestroyedInATask) {
  EventLoop loop;
  auto timer = std::make_unique<Timer>(loop);
  Timer other(loop);
  int ran = 0;
  std::function<void()> again = [&] {
    other.Cancel();
    if (++ran < 1000) return timer->Arm(Clock::now() - hours(1), again);
    timer.reset();
  };
  timer->Arm(Clock::now(), again);
  other.Arm(Clock::now(), [] { FAIL() << "cancelled by the one before"; });
  loop.Run();
  EXPECT_EQ(ran, 1000);
}

TEST(TimerTest, DoesNotKeepTheLoopFromItsOtherWork) {
  EventLoop loop;
  Timer timer(loop);
  bool posted = false;
  std::function<void()> forever = [&] {
    if (posted) return;
    timer.Arm(Clock::now() - hours(1), forever);
    loop.Post([&] { posted = true; });
  };
  timer.Arm(Clock::now(), forever);
  loop.Run();
  EXPECT_TRUE(posted);
}

TEST(TimerTest, OutlivesItsLoopAndDropsItsTask) {
  auto loop = std::make_unique<EventLoop>();
  Timer timer(*loop);
  const auto owned = std::make_shared<int>(1);
  timer.Arm(Clock::now() + hours(1), [owned] {});
  loop->After(hours(1), [owned] {});
  EXPECT_EQ(owned.use_count(), 3);
  loop.reset();
  EXPECT_EQ(owned.use_count(), 1);
  EXPECT_FALSE(timer.armed());
  timer.Arm(Clock::now(), [] {});
  EXPECT_FALSE(timer.armed());
}

TEST(TimerTest, SurvivesRandomUse) {
  EventLoop loop;
  std::mt19937 random(11);
  std::vector<std::unique_ptr<Timer>> timers;
  std::vector<int> want(300, -1);
  std::vector<int> ran;
  for (std::size_t i = 0; i < want.size(); ++i) timers.push_back(std::make_unique<Timer>(loop));
  const Clock::time_point start = Clock::now() - hours(1);
  for (int step = 0; step < 20'000; ++step) {
    const std::size_t i = random() % want.size();
    want[i] = random() % 4 == 0 ? -1 : step * 1000 % 7919 * 1000 + static_cast<int>(i);
    if (want[i] < 0) {
      timers[i]->Cancel();
    } else {
      timers[i]->Arm(start + microseconds(want[i]), [&ran, due = want[i]] { ran.push_back(due); });
    }
  }
  loop.Run();
  std::erase(want, -1);
  std::ranges::sort(want);
  EXPECT_EQ(ran, want);
}

}  // namespace
}  // namespace firstword::net
