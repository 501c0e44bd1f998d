#include "signals/findings_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "signals/progress.h"
#include "signals/words.h"

namespace firstword::signals {
namespace {

// When and by what a replica is seen to have begun again.
struct Restart {
  TimestampMs after = 0;
  TimestampMs before = 0;
  std::string evidence;
  std::string signal;
};

std::optional<Restart> RestartByStartTime(const ReplicaRows& rows) {
  const Course start = CourseOf(rows, "llm:start_time_seconds");
  std::optional<std::size_t> previous;
  std::optional<Restart> restart;
  for (std::size_t row = 0; row < start.values.size(); ++row) {
    if (!promql::IsSample(start.values[row])) continue;
    // Some exporters compute the start from a clock that is corrected now and then.
    constexpr double kJitterSeconds = 1;
    if (previous && std::abs(start.values[row] - start.values[*previous]) > kJitterSeconds) {
      restart = {(*start.times)[*previous], (*start.times)[row], "its start time changed",
                 "llm:start_time_seconds"};
    }
    previous = row;
  }
  return restart;
}

// GPU counters fall for reasons of their own: some exporters call gauges counters.
bool IsProcessSignal(const std::string& name) { return !name.starts_with("gpu:"); }

std::optional<Restart> RestartByCounters(const ReplicaSignals& replica) {
  std::optional<Restart> restart;
  for (const auto& [name, value] : replica.values) {
    if (!IsProcessSignal(name)) continue;
    for (const LabelledValue& one : value.by) {
      if (!one.change || !one.change->reset || restart) continue;
      restart = {one.change->reset_after, one.change->reset_before, name + " began again from zero",
                 name};
    }
  }
  return restart;
}

bool AnyHistogramReset(const ReplicaSignals& replica) {
  return std::any_of(replica.values.begin(), replica.values.end(), [](const auto& entry) {
    return entry.second.histogram && entry.second.reset;
  });
}

std::optional<Restart> RestartOf(const ReplicaSignals& replica, const ReplicaRows& rows) {
  if (auto restart = RestartByCounters(replica)) return restart;
  if (auto restart = RestartByStartTime(rows)) return restart;
  if (!AnyHistogramReset(replica)) return std::nullopt;
  return Restart{rows.from, rows.until, "its histograms began again from zero", {}};
}

// GPUs are an engine's when a label says so, or when there is but one engine.
std::vector<const PageView*> GpusOf(const PageView& engine, std::span<const PageView> pages) {
  std::vector<const PageView*> gpus;
  std::size_t engines = 0;
  for (const PageView& page : pages) {
    if (page.Is(dialect::Kind::kEngine)) ++engines;
    if (page.Is(dialect::Kind::kGpu)) gpus.push_back(&page);
  }
  if (engines == 1) return gpus;
  const std::string_view instance = engine.report->target.Get("instance");
  const std::string_view host = instance.substr(0, instance.rfind(':'));
  std::erase_if(gpus, [&](const PageView* gpu) {
    const std::string_view other = gpu->report->target.Get("instance");
    if (!host.empty() && other.substr(0, other.rfind(':')) == host) return false;
    for (const std::string_view label : {"host", "node", "pod"}) {
      const std::string_view value = engine.report->target.Get(label);
      if (!value.empty() && gpu->report->target.Get(label) == value) return false;
    }
    return true;
  });
  return gpus;
}

// One finding for every replica with that verdict; `sentence` is its text.
template <typename Sentence>
PageFindings ForVerdict(std::span<const PageView> pages, Progress wanted, Sentence sentence) {
  PageFindings findings;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    if (!pages[i].Is(dialect::Kind::kEngine)) continue;
    const std::vector<const PageView*> gpus = GpusOf(pages[i], pages);
    for (const ReplicaRows& rows : pages[i].rows) {
      const ProgressVerdict verdict = JudgeProgress(pages[i], rows, gpus);
      if (verdict.progress != wanted) continue;
      findings.push_back({i, Warning(sentence(verdict), "llm:requests_running")});
    }
  }
  return findings;
}

}  // namespace

Findings CheckRestart(const PageView& page, const ReportOptions&) {
  Findings findings;
  for (std::size_t i = 0; i < page.rows.size(); ++i) {
    const auto restart = RestartOf(page.report->replicas[i], page.rows[i]);
    if (!restart) continue;
    findings.push_back(
        Warning(fmt::format("Restarted between {} and {}: {}. Increases count on from zero; what "
                            "happened between the last scrape and the restart is lost.",
                            Moment(restart->after), Moment(restart->before), restart->evidence),
                restart->signal));
  }
  return findings;
}

PageFindings CheckNoProgress(std::span<const PageView> pages, const ReportOptions&) {
  return ForVerdict(pages, Progress::kStuck, [](const ProgressVerdict& v) {
    return fmt::format(
        "The engine is stuck: {} running and {} waiting, but no token and no "
        "finished request for {} ({}). Health checks may still be green. Save logs "
        "and a stack dump, then restart it.",
        Number(v.running), Number(v.waiting), Seconds(v.seconds), v.evidence);
  });
}

PageFindings CheckFrozenGauges(std::span<const PageView> pages, const ReportOptions&) {
  return ForVerdict(pages, Progress::kFrozen, [](const ProgressVerdict& v) {
    return fmt::format(
        "The gauges are left-overs: {} running and {} waiting have not moved for {} "
        "and no counter did, but {}. The engine is idle (this follows a mass abort). "
        "Ignore queue and KV alerts from it; one request refreshes the gauges.",
        Number(v.running), Number(v.waiting), Seconds(v.seconds), v.evidence);
  });
}

PageFindings CheckProgressUnclear(std::span<const PageView> pages, const ReportOptions&) {
  return ForVerdict(pages, Progress::kUnclear, [](const ProgressVerdict& v) {
    return fmt::format(
        "Cannot tell whether the engine is stuck or idle: {} running and {} waiting "
        "have not moved for {} and no counter did; {}. Send one request of one token: "
        "an answer means the gauges are left-overs.",
        Number(v.running), Number(v.waiting), Seconds(v.seconds), v.evidence);
  });
}

}  // namespace firstword::signals
