#include "signals/findings_latency.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "signals/words.h"

namespace firstword::signals {
namespace {

struct Latency {
  std::string_view signal;
  std::string_view name;
  std::string_view noun;  // what one observation is
};
constexpr Latency kLatencies[] = {
    {"llm:ttft_seconds", "TTFT", "request"},     {"llm:queue_seconds", "queue time", "request"},
    {"llm:e2e_seconds", "E2E", "request"},       {"llm:itl_seconds", "ITL", "gap"},
    {"gateway:ttft_seconds", "TTFT", "request"}, {"gateway:e2e_seconds", "E2E", "request"},
    {"gateway:itl_seconds", "ITL", "gap"},
};

constexpr double kTail = 0.99;

// Calls f for every latency histogram of the page that has observations.
template <typename F>
void ForEachLatency(const PageView& page, F f) {
  for (const ReplicaSignals& replica : page.report->replicas) {
    for (const Latency& latency : kLatencies) {
      const SignalValue* value = replica.Find(latency.signal);
      if (value == nullptr || !value->histogram) continue;
      if (value->histogram->count().value_or(0) > 0) f(latency, *value);
    }
  }
}

std::string_view Since(const SignalValue& value) { return value.lifetime ? " since start" : ""; }

}  // namespace

Findings CheckTopBucket(const PageView& page, const ReportOptions&) {
  Findings findings;
  ForEachLatency(page, [&](const Latency& latency, const SignalValue& value) {
    const Histogram& histogram = *value.histogram;
    const auto p99 = histogram.Quantile(kTail);
    const auto top = histogram.TopBound();
    if (!p99 || !top || !std::isinf(p99->upper)) return;
    const double above = histogram.CountAbove(*top)->lower;
    std::string text = fmt::format(
        "p99 {}{} is at least {}, how much more is unknown: {} of {} lie above the highest bucket.",
        latency.name, Since(value), Seconds(*top), Percent(above / *histogram.count()),
        Count(*histogram.count(), latency.noun));
    if (const auto mean = histogram.Mean()) text += fmt::format(" The mean is {}.", Seconds(*mean));
    text += " Tools that draw a line at the bound are wrong; ask for higher buckets.";
    findings.push_back(Warning(std::move(text), latency.signal, value.source));
  });
  return findings;
}

Findings CheckTooFewRequests(const PageView& page, const ReportOptions& options) {
  Findings findings;
  for (const ReplicaSignals& replica : page.report->replicas) {
    for (const std::string_view signal : {"llm:ttft_seconds", "gateway:ttft_seconds"}) {
      const SignalValue* value = replica.Find(signal);
      if (value == nullptr || !value->histogram) continue;
      const Histogram& histogram = *value->histogram;
      const double count = histogram.count().value_or(0);
      const auto slowest = histogram.Quantile(1);
      if (count <= 0 || histogram.Resolves(kTail) || !slowest) continue;
      std::string text = fmt::format(
          "Only {}{}: too few for a p99, which is then the slowest one ({}). Read the mean or wait "
          "for 100 requests; do not page on it.",
          Count(count, "request"), Since(*value), Range(*slowest));
      const bool alarming = !value->lifetime && slowest->upper > options.slo_ttft_seconds;
      findings.push_back(alarming ? Warning(std::move(text), signal)
                                  : Info(std::move(text), signal));
    }
  }
  return findings;
}

Findings CheckBucketsTooCoarse(const PageView& page, const ReportOptions& options) {
  Findings findings;
  ForEachLatency(page, [&](const Latency& latency, const SignalValue& value) {
    const bool is_itl = latency.name == "ITL";
    if (!is_itl && latency.name != "TTFT") return;
    const double slo = is_itl ? options.slo_itl_seconds : options.slo_ttft_seconds;
    const Histogram& histogram = *value.histogram;
    const auto missed = histogram.CountAbove(slo);
    if (!missed || std::isinf(missed->upper)) return;
    constexpr double kMatters = 0.01;  // p99 of a promise: 1 % decides
    if (missed->upper - missed->lower < kMatters * *histogram.count()) return;
    const auto buckets = histogram.buckets();
    const auto upper = std::find_if(buckets.begin(), buckets.end(),
                                    [slo](const Bucket& b) { return b.upper >= slo; });
    const double lower = upper == buckets.begin() ? 0 : std::prev(upper)->upper;
    findings.push_back(Info(
        fmt::format("The promise of {} for {} lies inside the bucket {}: between {} and {} of {} "
                    "missed it{}, more cannot be said. Give the engine a bucket bound at {}.",
                    Seconds(slo), latency.name,
                    std::isinf(upper->upper) ? "above " + Seconds(lower)
                                             : Seconds(lower) + " to " + Seconds(upper->upper),
                    Number(missed->lower), Number(missed->upper),
                    Count(*histogram.count(), latency.noun), Since(value), Seconds(slo)),
        latency.signal, value.source));
  });
  return findings;
}

Findings CheckMixedBuckets(const PageView& page, const ReportOptions&) {
  Findings findings;
  for (const ReplicaSignals& replica : page.report->replicas) {
    for (const auto& [name, value] : replica.values) {
      if (!value.histogram || !value.histogram->mixed_bounds()) continue;
      const std::size_t common = value.histogram->buckets().size();
      findings.push_back(
          Info(fmt::format("The series behind {} have different bucket bounds; {}. Run one build "
                           "everywhere.",
                           name,
                           common < 2 ? "none is common, so there is no quantile"
                                      : fmt::format("only the {} common ones are used, so "
                                                    "quantiles are wider",
                                                    common)),
               name, value.source));
    }
  }
  return findings;
}

Findings CheckNegativeSum(const PageView& page, const ReportOptions&) {
  Findings findings;
  for (const ReplicaSignals& replica : page.report->replicas) {
    for (const auto& [name, value] : replica.values) {
      if (!value.invalid_sum) continue;
      findings.push_back(Warning(
          fmt::format("The sum of {} fell while its count did not: negative times were observed, "
                      "this is no restart. Its mean is worthless here; the buckets still hold.",
                      name),
          name, value.source));
    }
  }
  return findings;
}

Findings CheckBurstBetweenScrapes(const PageView& page, const ReportOptions& options) {
  Findings findings;
  for (std::size_t i = 0; i < page.rows.size(); ++i) {
    const SignalValue* queue = page.report->replicas[i].Find("llm:queue_seconds");
    const Course waiting = CourseOf(page.rows[i], "llm:requests_waiting");
    if (queue == nullptr || !queue->histogram || queue->lifetime || waiting.empty()) continue;
    const bool never_seen = std::all_of(waiting.values.begin(), waiting.values.end(),
                                        [](double v) { return !promql::IsSample(v) || v == 0; });
    const auto waited = queue->histogram->CountAbove(options.slo_ttft_seconds);
    if (!never_seen || !waited || waited->lower < 1) continue;
    std::string text = fmt::format(
        "The waiting gauge read 0 at all {} scrapes, yet at least {} of {} waited more than {}",
        waiting.values.size(), Number(waited->lower),
        Count(queue->histogram->count().value_or(0), "request"), Seconds(options.slo_ttft_seconds));
    if (const auto mean = queue->histogram->Mean()) {
      text += fmt::format(" (mean {})", Seconds(*mean));
    }
    text += ": a queue came and went between scrapes. Trust the queue-time histogram.";
    findings.push_back(Warning(std::move(text), "llm:requests_waiting", queue->source));
  }
  return findings;
}

Findings CheckDeferredWaiting(const PageView& page, const ReportOptions&) {
  Findings findings;
  for (const ReplicaSignals& replica : page.report->replicas) {
    const SignalValue* reasons = replica.Find("llm:requests_waiting_by_reason");
    if (reasons == nullptr) continue;
    double deferred = 0;
    for (const LabelledValue& one : reasons->by) {
      if (one.labels.Get("reason") == "deferred") deferred += one.value.value_or(0);
    }
    if (deferred <= 0) continue;
    findings.push_back(
        Info(fmt::format("{} of {} waiting requests are deferred: held back by adapter slots, a KV "
                         "transfer or a grammar, not by capacity. More replicas do not help them.",
                         Number(deferred), Number(reasons->value.value_or(deferred))),
             "llm:requests_waiting", reasons->source));
  }
  return findings;
}

Findings CheckHitRateGauge(const PageView& page, const ReportOptions&) {
  Findings findings;
  for (const ReplicaSignals& replica : page.report->replicas) {
    const SignalValue* gauge = replica.Find("llm:prefix_cache_hit_ratio");
    const SignalValue* hits = replica.Find("llm:prefix_cache_hits_total");
    const SignalValue* queries = replica.Find("llm:prefix_cache_queries_total");
    if (gauge == nullptr || hits == nullptr || queries == nullptr || !gauge->value) continue;
    const bool windowed = hits->increase && queries->increase;
    const double asked = (windowed ? queries->increase : queries->value).value_or(0);
    const double found = (windowed ? hits->increase : hits->value).value_or(0);
    if (asked <= 0) continue;
    constexpr double kTolerated = 0.1;
    if (std::abs(found / asked - *gauge->value) <= kTolerated) continue;
    findings.push_back(Warning(
        fmt::format("The engine's hit-rate gauge reads {}, its counters say {}{}. Believe the "
                    "counters: the gauge covers one batch, or is never set.",
                    Percent(*gauge->value), Percent(found / asked), windowed ? "" : " since start"),
        "llm:prefix_cache_hit_ratio", gauge->source));
  }
  return findings;
}

}  // namespace firstword::signals
