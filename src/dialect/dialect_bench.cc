#include <benchmark/benchmark.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "dialect/canonical_source.h"
#include "dialect/detect.h"
#include "dialect/fake_source.h"

// Pages of 2,000 series: 100 histograms of 20 buckets, seen by the built-in
// dialects and one for them.

namespace firstword::dialect {
namespace {

constexpr int kFamilies = 100;
constexpr int kBuckets = 20;

Registry BenchRegistry() {
  Registry registry = Registry::LoadBuiltin().value();
  const Result<void> added = registry.AddYaml(
      "dialect: bench\n"
      "title: Bench\n"
      "kind: engine\n"
      "prefixes: [\"bench:\", \"wrap_bench:\"]\n"
      "detect: ~family_0_bucket\n"
      "labels: {model_name: {to: model}, engine: {to: rank}}\n"
      "signals:\n"
      "  llm:ttft_seconds: {histogram: ~family_0, population: all}\n",
      "bench.yaml");
  if (!added) std::abort();
  return registry;
}

promql::Labels BucketLabels(int family, int bucket) {
  return promql::Labels{{"__name__", "bench:family_" + std::to_string(family) + "_bucket"},
                        {"le", std::to_string(bucket)},
                        {"model_name", "m"},
                        {"engine", "0"}};
}

FakeSource Fleet(int targets, std::size_t rows, int families) {
  FakeSource raw;
  std::vector<TimestampMs> times(rows);
  for (std::size_t i = 0; i < rows; ++i) times[i] = static_cast<TimestampMs>(i);
  for (int target = 0; target < targets; ++target) {
    raw.AddTarget(std::make_shared<const promql::Labels>(
                      promql::Labels{{"job", "j"}, {"instance", std::to_string(target)}}),
                  times);
    for (int i = 0; i < families * kBuckets; ++i) {
      raw.AddSeries(BucketLabels(i / kBuckets, i % kBuckets), std::vector<double>(rows, i));
    }
  }
  return raw;
}

void BM_Detect(benchmark::State& state) {
  const Registry registry = BenchRegistry();
  std::vector<promql::SharedLabels> page;
  for (int i = 0; i < kFamilies * kBuckets; ++i) {
    page.push_back(
        std::make_shared<const promql::Labels>(BucketLabels(i / kBuckets, i % kBuckets)));
  }
  for (auto _ : state) benchmark::DoNotOptimize(Detect(registry, page));
}
BENCHMARK(BM_Detect)->Unit(benchmark::kMillisecond);

void Run(benchmark::State& state, FakeSource raw, std::string_view selector) {
  const Registry registry = BenchRegistry();
  const auto matchers = promql::ParseSelector(selector).value();
  promql::SelectRequest request;
  request.matchers = matchers;
  CanonicalSource source(raw, registry);
  for (auto _ : state) benchmark::DoNotOptimize(source.Resolve(request));
}

void BM_ResolveEverythingOnAPage(benchmark::State& state) {
  Run(state, Fleet(1, 2, kFamilies), R"({__name__=~"llm:.*"})");
}
BENCHMARK(BM_ResolveEverythingOnAPage)->Unit(benchmark::kMillisecond);

// One histogram over range(0) replicas and range(1) rows.
void BM_ResolveFleet(benchmark::State& state) {
  Run(state, Fleet(static_cast<int>(state.range(0)), static_cast<std::size_t>(state.range(1)), 1),
      "llm:ttft_seconds_bucket");
}
BENCHMARK(BM_ResolveFleet)
    ->Args({1, 600})
    ->Args({100, 2})
    ->Args({100, 600})
    ->Unit(benchmark::kMillisecond);
// The raw selection it rests on, for comparison.
void BM_SelectFleet(benchmark::State& state) {
  FakeSource raw =
      Fleet(static_cast<int>(state.range(0)), static_cast<std::size_t>(state.range(1)), 1);
  const auto matchers = promql::ParseSelector("bench:family_0_bucket").value();
  promql::SelectRequest request;
  request.matchers = matchers;
  for (auto _ : state) benchmark::DoNotOptimize(raw.Select(request));
}
BENCHMARK(BM_SelectFleet)->Args({100, 2})->Args({100, 600})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace firstword::dialect

BENCHMARK_MAIN();
