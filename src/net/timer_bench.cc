// CPU of one timer from arming to its task, the loop's waits included: `range` of them are
// under way at any time, each with a delay of up to 10 ms. With 400 nearly each one wakes the
// loop up, and the kernel's part of that is the most of it. A heap of our own behind one Asio
// timer took as long in both, and half of PutOff's time.

#include "net/timer.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "net/event_loop.h"

namespace firstword::net {
namespace {

constexpr int kTimersARound = 20'000;

// Keeps `count` of them under way. `arm` is given a slot, a delay and what to run.
template <typename Arm>
void Measure(benchmark::State& state, EventLoop& loop, Arm arm) {
  std::minstd_rand random(1);
  for (auto _ : state) {
    int left = kTimersARound;
    const std::function<void(int)> next = [&](int slot) {
      if (left-- <= 0) return;
      arm(slot, std::chrono::microseconds(random() % 10'000), [&next, slot] { next(slot); });
    };
    for (int slot = 0; slot < state.range(0); ++slot) next(slot);
    loop.Run();
  }
  state.SetItemsProcessed(state.iterations() * kTimersARound);
}

void BM_After(benchmark::State& state) {
  EventLoop loop;
  Measure(state, loop,
          [&](int, std::chrono::microseconds delay, auto task) { loop.After(delay, task); });
}
BENCHMARK(BM_After)->Arg(400)->Arg(10'000)->MeasureProcessCPUTime();

void BM_Timer(benchmark::State& state) {
  EventLoop loop;
  std::vector<std::unique_ptr<Timer>> timers;
  for (int i = 0; i < state.range(0); ++i) timers.push_back(std::make_unique<Timer>(loop));
  Measure(state, loop, [&](int slot, std::chrono::microseconds delay, auto task) {
    timers[static_cast<std::size_t>(slot)]->Arm(std::chrono::steady_clock::now() + delay, task);
  });
}
BENCHMARK(BM_Timer)->Arg(400)->Arg(10'000)->MeasureProcessCPUTime();

// Deadlines that are put off again and again, and seldom pass: 400 of them, each once a round.
constexpr std::size_t kDeadlines = 400;

void BM_PutOff(benchmark::State& state) {
  EventLoop loop;
  std::vector<std::unique_ptr<Timer>> timers;
  for (std::size_t i = 0; i < kDeadlines; ++i) timers.push_back(std::make_unique<Timer>(loop));
  for (auto _ : state) {
    for (const auto& timer : timers) {
      timer->Arm(std::chrono::steady_clock::now() + std::chrono::seconds(60), [] {});
    }
    loop.Post([&] { loop.Stop(); });
    loop.Run();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kDeadlines));
}
BENCHMARK(BM_PutOff);

}  // namespace
}  // namespace firstword::net

BENCHMARK_MAIN();
