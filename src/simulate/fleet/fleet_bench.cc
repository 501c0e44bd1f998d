#include <benchmark/benchmark.h>

#include "simulate/fleet/test_scenario.h"

namespace firstword::simulate {
namespace {

// One virtual hour of one replica at 5 requests/s with everything around it: users, page
// counters and histograms, GPU telemetry.
void BM_FleetHour(benchmark::State& state) {
  for (auto _ : state) {
    const auto fleet = MakeFleet(ChatScenario(1, 5));
    fleet->AdvanceTo(FromSeconds(3600));
    state.counters["tokens"] = static_cast<double>(fleet->tokens_given());
  }
}
BENCHMARK(BM_FleetHour)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace firstword::simulate

BENCHMARK_MAIN();
