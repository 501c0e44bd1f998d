// Speed of the exposition parser, one core. Every page-parsing figure stands beside
// memcpy over the same bytes in the same run. docs/benchmarks.md keeps the results.

#include "exposition/parser.h"

#include <benchmark/benchmark.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace firstword::exposition {
namespace {

// A page like a busy engine's: 500 series, histograms, about 55 kB. `changed` is the
// share of numbers that differ from one page of a target to the next.
class Target {
 public:
  Target(unsigned seed, double changed) : random_(seed), changed_(changed), values_(500, 1000) {
    model_ = "org-" + std::to_string(seed) + "/some-model-32b-instruct";
  }

  std::string NextPage() {
    std::string page;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (std::uniform_real_distribution<>()(random_) < changed_) values_[i] += random_() % 1000;
      const std::string family = "engine:family_" + std::to_string(i / 20) + "_seconds";
      if (i % 20 == 0)
        page += "# HELP " + family + " Something measured.\n# TYPE " + family + " histogram\n";
      page += family + "_bucket{engine=\"0\",le=\"" + std::to_string(i % 20) +
              ".0\",model_name=\"" + model_ + "\"} ";
      page += std::to_string(values_[i]) + (i % 5 == 0 ? ".0625\n" : ".0\n");
    }
    return page;
  }

 private:
  std::mt19937 random_;
  double changed_;
  std::string model_;
  std::vector<std::uint64_t> values_;
};

void ReportBytes(benchmark::State& state, std::size_t bytes, std::size_t samples) {
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
  state.counters["ns/sample"] = benchmark::Counter(
      static_cast<double>(samples) * static_cast<double>(state.iterations()) * 1e-9,
      benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void BM_Memcpy(benchmark::State& state) {
  const std::string page = Target(1, 0).NextPage();
  std::string copy(page.size(), '\0');
  for (auto _ : state) {
    std::memcpy(copy.data(), page.data(), page.size());
    benchmark::ClobberMemory();
  }
  ReportBytes(state, page.size(), 500);
}
BENCHMARK(BM_Memcpy);

void BM_FirstParse(benchmark::State& state) {
  const std::string page = Target(1, 0).NextPage();
  for (auto _ : state) {
    PageParser parser;
    benchmark::DoNotOptimize(parser.Parse(page, Format::kText));
  }
  ReportBytes(state, page.size(), 500);
}
BENCHMARK(BM_FirstParse);

// Consecutive pages of one target; the argument is the share of changed numbers in %.
void BM_Reparse(benchmark::State& state) {
  Target target(1, static_cast<double>(state.range(0)) / 100);
  std::vector<std::string> pages;
  for (int i = 0; i < 8; ++i) pages.push_back(target.NextPage());
  PageParser parser;
  std::size_t bytes = 0;
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(parser.Parse(pages[i], Format::kText));
    bytes += pages[i].size();
    i = (i + 1) % pages.size();
  }
  ReportBytes(state, bytes / static_cast<std::size_t>(state.iterations()), 500);
}
BENCHMARK(BM_Reparse)->Arg(0)->Arg(10)->Arg(30)->Arg(100);

// 100 targets in turn, so that neither page nor layout is in the first caches.
void BM_ReparseHundredTargets(benchmark::State& state) {
  std::vector<PageParser> parsers(100);
  std::vector<std::vector<std::string>> pages;
  for (unsigned t = 0; t < 100; ++t) {
    Target target(t, static_cast<double>(state.range(0)) / 100);
    pages.push_back({target.NextPage(), target.NextPage()});
    (void)parsers[t].Parse(pages[t][0], Format::kText);
  }
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(parsers[i % 100].Parse(pages[i % 100][(i / 100) % 2], Format::kText));
    ++i;
  }
  ReportBytes(state, pages[0][0].size(), 500);
}
BENCHMARK(BM_ReparseHundredTargets)->Arg(30)->Arg(100);

// Real pages, where the shared captures lie beside the project.
void BM_RealPage(benchmark::State& state, const std::string& name, bool first) {
  std::ifstream file(FIRSTWORD_SOURCE_DIR "/../shared/captures/" + name, std::ios::binary);
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  PageParser parser;
  if (!parser.Parse(page, Format::kText)) {
    state.SkipWithError("capture not present");
    return;
  }
  for (auto _ : state) {
    if (first) parser = PageParser();
    benchmark::DoNotOptimize(parser.Parse(page, Format::kText));
  }
  ReportBytes(state, page.size(), parser.page().series().size());
}
BENCHMARK_CAPTURE(BM_RealPage, vllm_0_30_first, "vllm-0.30.0-qwen38-preemptions-after-load.prom",
                  true);
BENCHMARK_CAPTURE(BM_RealPage, vllm_0_30_again, "vllm-0.30.0-qwen38-preemptions-after-load.prom",
                  false);
BENCHMARK_CAPTURE(BM_RealPage, vllm_dev_first, "vllm-0.30dev-2026-09-agent-traffic-idle.prom",
                  true);

}  // namespace
}  // namespace firstword::exposition

BENCHMARK_MAIN();
