#include "signals/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "signals/words.h"

namespace firstword::signals {
namespace {

// Prompts of 100k tokens and slow batches may keep counters still for a while.
constexpr double kPatienceSeconds = 30;

constexpr std::string_view kWork[] = {"llm:generation_tokens_total",
                                      "llm:prompt_tokens_total",
                                      "llm:requests_total",
                                      "llm:ttft_seconds",
                                      "llm:itl_seconds",
                                      "llm:step_tokens",
                                      "llm:prompt_tokens_by_source_total"};

std::optional<double> NewestOf(const Course& course) {
  if (course.empty() || !promql::IsSample(course.values.back())) return std::nullopt;
  return course.values.back();
}

// The last row at which any counter of work moved; the first row when none ever did.
// nullopt when the engine exports no such counter.
std::optional<TimestampMs> LastMove(const ReplicaRows& rows) {
  std::optional<TimestampMs> last;
  for (const std::string_view signal : kWork) {
    for (const SignalColumn& column : rows.Find(signal)) {
      if (!last) last = rows.from;
      const std::vector<double>& values = column.data.values;
      std::optional<double> before;
      for (std::size_t row = 0; row < values.size(); ++row) {
        if (!promql::IsSample(values[row])) continue;
        if (before && values[row] != *before) last = std::max(*last, (*column.times)[row]);
        before = values[row];
      }
    }
  }
  return last;
}

// A gauge from `since` on.
struct Span {
  double first = 0;
  double last = 0;
  double lowest = 0;
  bool constant = true;
};
std::optional<Span> SpanOf(const Course& course, TimestampMs since) {
  std::optional<Span> span;
  for (std::size_t row = 0; row < course.values.size(); ++row) {
    const double value = course.values[row];
    if ((*course.times)[row] < since || !promql::IsSample(value)) continue;
    if (!span) span = {value, value, value, true};
    span->constant = span->constant && value == span->last;
    span->last = value;
    span->lowest = std::min(span->lowest, value);
  }
  return span;
}

// Requests that HTTP clients hold open at the moment; nullopt where nothing says so. The
// scrape itself and health probes are no users.
std::optional<double> HttpInFlight(const PageView& page, const ReplicaRows& rows) {
  std::set<std::string> names = {"http_requests_in_progress", "http_requests_inprogress"};
  for (const SignalColumn& column : rows.Find("llm:http_requests_active")) {
    for (const dialect::Origin& origin : column.data.origins) {
      names.insert(origin.series.begin(), origin.series.end());
    }
  }
  const auto is_probe = [](const promql::Label& label) {
    return label.value.starts_with("/metrics") || label.value.starts_with("/health");
  };
  std::optional<double> in_flight;
  for (const std::string& name : names) {
    for (const PageView::RawValue& one : page.Raw(name)) {
      const auto labels = one.labels->all();
      if (!in_flight) in_flight = 0;
      if (std::none_of(labels.begin(), labels.end(), is_probe)) *in_flight += one.value;
    }
  }
  return in_flight;
}

struct GpuActivity {
  double utilization = 0;
  std::optional<double> power;
};
std::optional<GpuActivity> ActivityOf(std::span<const PageView* const> gpus) {
  std::optional<GpuActivity> activity;
  for (const PageView* page : gpus) {
    for (const ReplicaSignals& gpu : page->report->replicas) {
      const SignalValue* utilization = gpu.Find("gpu:utilization_ratio");
      if (utilization == nullptr || !utilization->value) continue;
      if (!activity) activity.emplace();
      activity->utilization = std::max(activity->utilization, *utilization->value);
      const SignalValue* power = gpu.Find("gpu:power_watts");
      if (power != nullptr && power->value) {
        activity->power = activity->power.value_or(0) + *power->value;
      }
    }
  }
  return activity;
}

std::string Describe(const GpuActivity& gpu) {
  std::string text = "GPU " + Percent(gpu.utilization) + " utilised";
  if (gpu.power) text += " at " + Number(*gpu.power) + " W";
  return text;
}

// Whether anything but the gauges and counters decides, strongest first.
void Weigh(const PageView& page, const ReplicaRows& rows, std::span<const PageView* const> gpus,
           const Span& running, const Span& waiting, ProgressVerdict& verdict) {
  if (waiting.last > waiting.first) {
    // New requests are still counted, so the gauges are alive.
    verdict.progress = Progress::kStuck;
    verdict.evidence =
        fmt::format("waiting grew from {} to {}", Number(waiting.first), Number(waiting.last));
    return;
  }
  const auto gpu = ActivityOf(gpus);
  const std::string gpu_text = gpu ? ", " + Describe(*gpu) : "";
  const auto in_flight = HttpInFlight(page, rows);
  if (in_flight) {
    verdict.progress = *in_flight > 0 ? Progress::kStuck : Progress::kFrozen;
    verdict.evidence = (*in_flight > 0 ? Count(*in_flight, "HTTP request") + " in flight"
                                       : "no HTTP request in flight") +
                       gpu_text;
    return;
  }
  constexpr double kBusy = 0.5;
  if (gpu && gpu->utilization >= kBusy) {
    verdict.progress = Progress::kStuck;
    verdict.evidence = Describe(*gpu) + " with nothing to show for it";
    return;
  }
  if (!running.constant || !waiting.constant) {
    // A gauge that is left behind does not move.
    verdict.progress = Progress::kStuck;
    verdict.evidence =
        fmt::format("running went from {} to {} and waiting from {} to {}", Number(running.first),
                    Number(running.last), Number(waiting.first), Number(waiting.last));
    return;
  }
  // An idle GPU alone fits both: an engine that waits on a lock leaves it idle too.
  verdict.progress = Progress::kUnclear;
  verdict.evidence = "nothing tells whether HTTP requests are in flight" + gpu_text;
}

}  // namespace

ProgressVerdict JudgeProgress(const PageView& page, const ReplicaRows& rows,
                              std::span<const PageView* const> gpus) {
  ProgressVerdict verdict;
  const auto moved = LastMove(rows);
  if (!moved || page.last_scrape_failed) return verdict;
  if (NewestOf(CourseOf(rows, "llm:sleeping")).value_or(0) > 0) return verdict;
  verdict.seconds = static_cast<double>(rows.until - *moved) / 1000;
  if (verdict.seconds < kPatienceSeconds) return verdict;
  const Span none;
  const Span running = SpanOf(CourseOf(rows, "llm:requests_running"), *moved).value_or(none);
  const Span waiting = SpanOf(CourseOf(rows, "llm:requests_waiting"), *moved).value_or(none);
  verdict.running = running.last;
  verdict.waiting = waiting.last;
  if (running.last + waiting.last <= 0 || running.lowest + waiting.lowest <= 0) return verdict;
  Weigh(page, rows, gpus, running, waiting, verdict);
  return verdict;
}

}  // namespace firstword::signals
