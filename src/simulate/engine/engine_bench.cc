#include <benchmark/benchmark.h>

#include <random>

#include "simulate/engine/test_engine.h"

namespace firstword::simulate {
namespace {

// Counts and nothing more, so that the engine alone is measured.
class Counting final : public Observer {
 public:
  void OnGap(std::uint32_t, SimTime, std::uint32_t, std::uint32_t tokens) override {
    generated += tokens;
  }
  void OnStep(const StepReport&, const SchedulerState& state) override {
    ++steps;
    running += state.running;
  }
  std::uint64_t generated = 0, steps = 0, running = 0;
};

// One virtual hour of one replica at 5 requests/s: chat-like lengths, shared system prompt.
void BM_VirtualHour(benchmark::State& state) {
  for (auto _ : state) {
    Counting counting;
    EngineConfig config = PlainConfig();
    Replica replica(config, 1, counting);
    std::mt19937_64 random(1);
    std::exponential_distribution<double> gap(5);
    std::lognormal_distribution<double> prompt(6.2, 0.8);
    std::lognormal_distribution<double> output(5.3, 0.6);
    double now = 0;
    std::uint64_t text = 1;
    while ((now += gap(random)) < 3600) {
      Request request;
      request.prompt = {{.text = 0, .offset = 0, .tokens = 256},
                        {.text = ++text, .tokens = 1 + static_cast<std::uint32_t>(prompt(random))}};
      request.output_tokens = 1 + static_cast<std::uint32_t>(output(random));
      request.max_tokens = 2048;
      replica.Submit(std::move(request), FromSeconds(now));
    }
    replica.AdvanceTo(FromSeconds(7200));
    state.counters["tokens"] = static_cast<double>(counting.generated);
    state.counters["steps"] = static_cast<double>(counting.steps);
    state.counters["mean_running"] =
        static_cast<double>(counting.running) / static_cast<double>(counting.steps);
  }
}
BENCHMARK(BM_VirtualHour)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace firstword::simulate

BENCHMARK_MAIN();
