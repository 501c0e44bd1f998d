#include <benchmark/benchmark.h>

#include <chrono>
#include <string>

#include "simulate/pages/test_pages.h"

// A page of vLLM 0.30 (some 500 samples), and the calls of which a virtual hour has millions.

namespace firstword::simulate {
namespace {

dialect::PageSpec Page() {
  const dialect::ExportChoice vllm = BuiltinExports().Choose("vllm:0.30").value();
  return TestPage(*vllm.page, vllm.version);
}

void BM_WritePage(benchmark::State& state) {
  const dialect::PageSpec page = Page();
  Recorder recorder(page, TestFacts(page));
  TellHistory(recorder);
  std::string out;
  for (auto _ : state) {
    out.clear();
    AppendMetricsPage(page, {.recorder = &recorder, .now_unix_s = kTestNow}, out);
    benchmark::DoNotOptimize(out);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(out.size()));
}
BENCHMARK(BM_WritePage)->Unit(benchmark::kMicrosecond);

void BM_GapAndStep(benchmark::State& state) {
  const dialect::PageSpec page = Page();
  Recorder recorder(page, TestFacts(page));
  StepReport step{.decode_tokens = 30, .decode_sequences = 30};
  for (auto _ : state) {
    step.begin = step.end;
    step.end += std::chrono::milliseconds(12);
    recorder.OnGap(0, std::chrono::milliseconds(12), 30, 30);
    recorder.OnStep(step, {.running = 30, .blocks = 4000, .free_blocks = 1000});
  }
}
BENCHMARK(BM_GapAndStep);

void BM_LoadExports(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(dialect::ExportCatalog::LoadBuiltin());
}
BENCHMARK(BM_LoadExports)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace firstword::simulate

BENCHMARK_MAIN();
