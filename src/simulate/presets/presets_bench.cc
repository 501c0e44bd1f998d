#include <benchmark/benchmark.h>

#include "simulate/presets/presets.h"

namespace firstword::simulate {
namespace {

// What every start of `simulate` pays, even for --help of a scenario.
void BM_LoadPresets(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Presets::LoadBuiltin());
}
BENCHMARK(BM_LoadPresets)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace firstword::simulate

BENCHMARK_MAIN();
