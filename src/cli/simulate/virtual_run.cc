#include "cli/simulate/virtual_run.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <vector>

#include "cli/options/interrupt.h"
#include "cli/text/format.h"
#include "cli/text/table.h"

namespace firstword::cli {
namespace {

using simulate::Distribution;
using simulate::DistributionTotals;
using simulate::Fleet;
using simulate::Seconds;
using simulate::SimTime;

// What a replica has counted, over its ranks.
struct Counts {
  std::uint64_t ended = 0, generated = 0, preempted = 0;
  DistributionTotals ttft, itl, queue, prefill;

  friend Counts operator-(Counts a, const Counts& b) {
    const auto minus = [](DistributionTotals& x, const DistributionTotals& y) {
      x.sum -= y.sum;
      x.count -= y.count;
    };
    a.ended -= b.ended;
    a.generated -= b.generated;
    a.preempted -= b.preempted;
    minus(a.ttft, b.ttft);
    minus(a.itl, b.itl);
    minus(a.queue, b.queue);
    minus(a.prefill, b.prefill);
    return a;
  }
};

Counts Count(const simulate::Recorder& recorder) {
  Counts counts;
  const auto add = [](DistributionTotals& to, const DistributionTotals& from) {
    to.sum += from.sum;
    to.count += from.count;
  };
  for (std::uint32_t i = 0; i < recorder.ranks(); ++i) {
    const simulate::RankRecord& rank = recorder.rank(i);
    for (const std::uint64_t ended : rank.ended) counts.ended += ended;
    counts.generated += rank.generation_tokens;
    counts.preempted += rank.preemptions;
    const auto of = [&](Distribution d) { return rank.distributions[static_cast<std::size_t>(d)]; };
    add(counts.ttft, of(Distribution::kTtft));
    add(counts.itl, of(Distribution::kItl));
    add(counts.queue, of(Distribution::kQueue));
    add(counts.prefill, of(Distribution::kPrefill));
  }
  return counts;
}

std::string Mean(const DistributionTotals& totals) {
  if (totals.count == 0) return std::string(kAbsent);
  return FormatSeconds(totals.sum / static_cast<double>(totals.count));
}

double CpuSeconds() {
  timespec spent{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
  return static_cast<double>(spent.tv_sec) + static_cast<double>(spent.tv_nsec) * 1e-9;
}

// One part of the run: from the last mark to now.
class Part {
 public:
  explicit Part(const Fleet& fleet) : fleet_(fleet) { Mark(); }

  void Mark() {
    begin_ = fleet_.now();
    counts_.clear();
    started_.clear();
    for (std::size_t i = 0; i < fleet_.replicas(); ++i) {
      counts_.push_back(Count(fleet_.recorder(i)));
      started_.push_back(fleet_.recorder(i).facts().start_unix_s);
    }
  }

  void Print(std::string_view title, Console& console) const {
    const double seconds = Seconds(fleet_.now() - begin_);
    if (seconds <= 0) return;
    console.out << fmt::format("\n{}, {:.0f} s\n", title, seconds);
    using enum Table::Align;
    Table table({{"replica"},
                 {"ended/s", kRight},
                 {"tok/s", kRight},
                 {"TTFT", kRight},
                 {"queue", kRight},
                 {"prefill", kRight},
                 {"ITL", kRight},
                 {"run", kRight},
                 {"wait", kRight},
                 {"KV", kRight},
                 {"preempted", kRight}});
    for (std::size_t i = 0; i < fleet_.replicas(); ++i) {
      const simulate::Recorder& recorder = fleet_.recorder(i);
      Counts counts = Count(recorder);
      // A process that died in between began its counts anew.
      if (recorder.facts().start_unix_s == started_[i]) counts = counts - counts_[i];
      std::uint32_t running = 0, waiting = 0, blocks = 0, free = 0;
      for (std::uint32_t rank = 0; rank < recorder.ranks(); ++rank) {
        const simulate::SchedulerState state = fleet_.state(i, rank);
        running += state.running;
        waiting += state.waiting;
        blocks += state.blocks;
        free += state.free_blocks;
      }
      table.AddRow(
          {fleet_.status(i).name, FormatNumber(static_cast<double>(counts.ended) / seconds),
           FormatNumber(std::round(static_cast<double>(counts.generated) / seconds)),
           Mean(counts.ttft), Mean(counts.queue), Mean(counts.prefill), Mean(counts.itl),
           std::to_string(running), std::to_string(waiting),
           blocks == 0 ? std::string(kAbsent) : FormatRatio(1.0 * (blocks - free) / blocks),
           std::to_string(counts.preempted)});
    }
    console.out << table.Render(Paint(console.color), static_cast<std::size_t>(console.columns));
  }

 private:
  const Fleet& fleet_;
  SimTime begin_{};
  std::vector<Counts> counts_;
  std::vector<double> started_;
};

Result<void> WriteFile(const std::filesystem::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) return Fail(ErrorCode::kIo, fmt::format("cannot write {}", path.string()));
  return {};
}

Result<void> WritePages(Fleet& fleet, const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) return Fail(ErrorCode::kIo, fmt::format("{}: {}", directory, error.message()));
  const std::filesystem::path folder(directory);
  for (std::size_t i = 0; i < fleet.replicas(); ++i) {
    const Result<void> written =
        WriteFile(folder / (fleet.status(i).name + ".prom"), fleet.MetricsPage(i));
    if (!written) return written;
  }
  return fleet.has_gpu_page() ? WriteFile(folder / "gpus.prom", fleet.GpuPage()) : Result<void>{};
}

// In slices, so that an interrupt is heard.
void LiveUntil(Fleet& fleet, SimTime end) {
  constexpr SimTime kSlice = std::chrono::seconds(1);
  while (fleet.now() < end && !Interrupted()) fleet.AdvanceTo(std::min(end, fleet.now() + kSlice));
}

}  // namespace

Result<void> RunVirtual(simulate::Fleet& fleet, SimTime duration,
                        const std::string& pages_directory, Console& console) {
  const simulate::Scenario& scenario = fleet.scenario();
  console.out << fmt::format("{}: {}\n", scenario.name, scenario.title);
  CatchInterrupts();
  const double before = CpuSeconds();
  Part part(fleet);
  if (scenario.onset > SimTime{} && scenario.onset < duration) {
    // Just before, so that what happens then is not in it.
    LiveUntil(fleet, scenario.onset - simulate::SimTime(1));
    part.Print(fmt::format("before {}", scenario.shape), console);
    part.Mark();
  }
  LiveUntil(fleet, duration);
  part.Print(scenario.shape, console);
  const double spent = CpuSeconds() - before;
  console.out << fmt::format(
      "\n{:.0f} s, {} requests and {} tokens simulated in {:.2f} s of processor time\n",
      Seconds(fleet.now()), fleet.requests_ended(), fleet.tokens_given(), spent);
  if (Interrupted()) console.out << "interrupted: the last part is not whole\n";
  return pages_directory.empty() ? Result<void>{} : WritePages(fleet, pages_directory);
}

}  // namespace firstword::cli
