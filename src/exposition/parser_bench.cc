// Speed of the exposition parser, one core. Each figure has beside it how it compares with
// a pass over the same bytes that only looks for newlines (of_newline_scan: 1 is as fast).

#include "exposition/parser.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace firstword::exposition {
namespace {

constexpr std::string_view kCaptures = FIRSTWORD_SOURCE_DIR "/../shared/captures/";

// A target whose pages look like a busy Python engine's: histograms with 20 buckets, their
// sums with all 16 digits, gauges, counters; 500 series, about 55 kB. `changed` is the
// share of numbers that differ from one page to the next.
class Target {
 public:
  Target(unsigned seed, double changed)
      : random_(seed), changed_(changed), model_(fmt::format("org-{}/model-32b-instruct", seed)) {}

  std::string NextPage() {
    std::string page;
    const auto add = [&]<typename... T>(fmt::format_string<T...> format, T&&... args) {
      fmt::format_to(std::back_inserter(page), format, std::forward<T>(args)...);
    };
    std::size_t number = 0;
    for (int f = 0; f < 20; ++f) {
      const std::string name = fmt::format("engine:phase_{}_seconds", f);
      const std::string labels = fmt::format("engine=\"0\",model_name=\"{}\"", model_);
      add("# HELP {0} Histogram of phase {1} in seconds.\n# TYPE {0} histogram\n", name, f);
      for (int b = 0; b < 20; ++b) {
        add("{}_bucket{{le=\"{}\",{}}} {}.0\n", name, 0.005 * (1 << b), labels, Next(number++));
      }
      add("{}_count{{{}}} {}.0\n", name, labels, Next(number++));
      add("{}_sum{{{}}} {}\n", name, labels, static_cast<double>(Next(number++)) / 7);
      add("# TYPE engine:gauge_{0} gauge\nengine:gauge_{0}{{{1}}} {2}.0\n", f, labels,
          Next(number++) % 256);
      add("# TYPE engine:events_{0} counter\nengine:events_{0}{{{1}}} {2}\n", f, labels,
          static_cast<double>(Next(number++)) * 1e6);
      add("engine:ratio_{}{{{}}} {}\n", f, labels, static_cast<double>(Next(number++) % 997) / 997);
    }
    return page;
  }

 private:
  std::uint64_t Next(std::size_t index) {
    if (numbers_.size() <= index) numbers_.push_back(random_() % 100'000);
    if (share_(random_) < changed_) numbers_[index] += 1 + random_() % 100;
    return numbers_[index];
  }

  std::mt19937 random_;
  std::uniform_real_distribution<> share_;
  const double changed_;
  const std::string model_;
  std::vector<std::uint64_t> numbers_;
};

std::vector<std::string> PagesOf(Target target, std::size_t count) {
  std::vector<std::string> pages(count);
  for (std::string& page : pages) page = target.NextPage();
  return pages;
}

std::size_t CountLines(std::string_view page) {
  std::size_t lines = 0;
  for (const char* at = page.data(); at != nullptr; ++lines) {
    at = static_cast<const char*>(
        std::memchr(at, '\n', static_cast<std::size_t>(page.data() + page.size() - at)));
    if (at != nullptr) ++at;
  }
  return lines;
}

double SecondsToScan(const std::vector<std::string>& pages) {
  double best = 1;
  for (int i = 0; i < 20; ++i) {
    const auto start = std::chrono::steady_clock::now();
    for (const std::string& page : pages) benchmark::DoNotOptimize(CountLines(page));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  return best;
}

// All iterations went over `pages` in turn.
void Report(benchmark::State& state, const std::vector<std::string>& pages, std::size_t samples) {
  using benchmark::Counter;
  std::size_t bytes = 0;
  for (const std::string& page : pages) bytes += page.size();
  const double rounds = static_cast<double>(state.iterations()) / static_cast<double>(pages.size());
  state.SetBytesProcessed(static_cast<std::int64_t>(static_cast<double>(bytes) * rounds));
  state.counters["per_sample"] =
      Counter(static_cast<double>(samples) * static_cast<double>(state.iterations()),
              Counter::kIsRate | Counter::kInvert);
  state.counters["of_newline_scan"] = Counter(SecondsToScan(pages) * rounds, Counter::kIsRate);
}

void BM_FirstParse(benchmark::State& state) {
  const std::vector<std::string> pages = PagesOf(Target(1, 0), 1);
  std::size_t samples = 0;
  for (auto _ : state) {
    PageParser parser;
    benchmark::DoNotOptimize(parser.Parse(pages[0], Format::kText));
    samples = parser.page().series().size();
  }
  Report(state, pages, samples);
}
BENCHMARK(BM_FirstParse);

// Consecutive pages of one target; the argument is the share of changed numbers in %.
void BM_Reparse(benchmark::State& state) {
  const std::vector<std::string> pages =
      PagesOf(Target(1, static_cast<double>(state.range(0)) / 100), 64);
  PageParser parser;
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(parser.Parse(pages[i], Format::kText));
    if (++i == pages.size()) i = 0;
  }
  Report(state, pages, parser.page().series().size());
}
BENCHMARK(BM_Reparse)->Arg(0)->Arg(10)->Arg(30)->Arg(100);

// 100 targets in turn, so that neither page nor layout is in the first caches.
void BM_ReparseHundredTargets(benchmark::State& state) {
  constexpr std::size_t kTargets = 100;
  std::vector<PageParser> parsers(kTargets);
  std::vector<std::string> pages(2 * kTargets);
  for (std::size_t t = 0; t < kTargets; ++t) {
    std::vector<std::string> two =
        PagesOf(Target(static_cast<unsigned>(t), static_cast<double>(state.range(0)) / 100), 2);
    pages[t] = std::move(two[0]);
    pages[t + kTargets] = std::move(two[1]);
    benchmark::DoNotOptimize(parsers[t].Parse(pages[t], Format::kText));
  }
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(parsers[i % kTargets].Parse(pages[i], Format::kText));
    if (++i == pages.size()) i = 0;
  }
  Report(state, pages, parsers[0].page().series().size());
}
BENCHMARK(BM_ReparseHundredTargets)->Arg(0)->Arg(30)->Arg(100);

// A series comes and goes in the middle of the page.
void BM_ReparseChangedLayout(benchmark::State& state) {
  std::vector<std::string> pages = PagesOf(Target(1, 0.3), 2);
  pages[1].insert(pages[1].find('\n', pages[1].size() / 2) + 1, "engine:newcomer 1\n");
  PageParser parser;
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(parser.Parse(pages[i], Format::kText));
    i = 1 - i;
  }
  Report(state, pages, parser.page().series().size());
}
BENCHMARK(BM_ReparseChangedLayout);

// Real pages, where the shared captures lie beside the project. The page is the same each
// time: no number changes.
void BM_RealPage(benchmark::State& state, const std::string& name, bool first) {
  std::ifstream file(std::string(kCaptures) + name, std::ios::binary);
  const std::vector<std::string> pages = {{std::istreambuf_iterator<char>(file), {}}};
  PageParser parser;
  if (!parser.Parse(pages[0], Format::kText)) {
    state.SkipWithError("capture not present");
    return;
  }
  for (auto _ : state) {
    if (first) parser = PageParser();
    benchmark::DoNotOptimize(parser.Parse(pages[0], Format::kText));
  }
  Report(state, pages, parser.page().series().size());
}
BENCHMARK_CAPTURE(BM_RealPage, vllm_0_30_first, "vllm-0.30.0-qwen38-preemptions-after-load.prom",
                  true);
BENCHMARK_CAPTURE(BM_RealPage, vllm_0_30_again, "vllm-0.30.0-qwen38-preemptions-after-load.prom",
                  false);
BENCHMARK_CAPTURE(BM_RealPage, vllm_dev_first, "vllm-0.30dev-2026-09-agent-traffic-idle.prom",
                  true);
BENCHMARK_CAPTURE(BM_RealPage, vllm_dev_again, "vllm-0.30dev-2026-09-agent-traffic-idle.prom",
                  false);

}  // namespace
}  // namespace firstword::exposition

BENCHMARK_MAIN();
