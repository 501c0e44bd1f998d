#include "signals/checks.h"

#include <utility>

#include "signals/findings_fleet.h"
#include "signals/findings_gpu.h"
#include "signals/findings_latency.h"
#include "signals/findings_page.h"
#include "signals/findings_progress.h"
#include "signals/fleet.h"

namespace firstword::signals {
namespace {

constexpr NamedCheck kPageChecks[] = {
    {"blind_page", CheckBlindPage},
    {"last_scrape_failed", CheckLastScrape},
    {"scrape_gap", CheckScrapeGap},
    {"engines_missing", CheckEnginesMissing},
    {"ranks_are_copies", CheckRanksAreCopies},
    {"several_processes", CheckSeveralProcesses},
    {"old_and_new_names", CheckOldAndNewNames},
    {"impossible_values", CheckImpossibleValues},
    {"created_series", CheckCreatedSeries},
    {"histogram_named_total", CheckHistogramNamedTotal},
    {"restart", CheckRestart},
    {"quantile_in_top_bucket", CheckTopBucket},
    {"too_few_requests", CheckTooFewRequests},
    {"buckets_too_coarse", CheckBucketsTooCoarse},
    {"mixed_buckets", CheckMixedBuckets},
    {"negative_sum", CheckNegativeSum},
    {"burst_between_scrapes", CheckBurstBetweenScrapes},
    {"deferred_waiting", CheckDeferredWaiting},
    {"gauge_disagrees_with_counters", CheckHitRateGauge},
    {"gpu_busy_but_idle_pipes", CheckBusyButIdlePipes},
    {"profiling_reads_zero", CheckProfilingReadsZero},
    {"xid_changed", CheckXidChanged},
};

constexpr NamedFleetCheck kFleetChecks[] = {
    {"no_progress", CheckNoProgress},
    {"frozen_gauges", CheckFrozenGauges},
    {"progress_unclear", CheckProgressUnclear},
    {"router_repeats_engines", CheckRouterRepeatsEngines},
    {"relayed_engine", CheckRelayedEngine},
    {"repeated_page", CheckRepeatedPage},
    {"stale_data", CheckStaleData},
};

Finding MakeFinding(Finding::Severity severity, std::string text, std::string_view signal,
                    std::vector<std::string> series) {
  return {.code = {},
          .severity = severity,
          .text = std::move(text),
          .series = std::move(series),
          .signal = std::string(signal),
          .source = {}};
}

}  // namespace

Finding Warning(std::string text, std::string_view signal, std::vector<std::string> series) {
  return MakeFinding(Finding::Severity::kWarning, std::move(text), signal, std::move(series));
}

Finding Info(std::string text, std::string_view signal, std::vector<std::string> series) {
  return MakeFinding(Finding::Severity::kInfo, std::move(text), signal, std::move(series));
}

std::span<const NamedCheck> PageChecks() { return kPageChecks; }
std::span<const NamedFleetCheck> FleetChecks() { return kFleetChecks; }

std::vector<std::string_view> FindingCodes() {
  std::vector<std::string_view> codes;
  for (const NamedCheck& check : kPageChecks) codes.push_back(check.code);
  for (const NamedFleetCheck& check : kFleetChecks) codes.push_back(check.code);
  codes.push_back(kKvUsageUneven);
  codes.push_back(kSlowReplica);
  return codes;
}

}  // namespace firstword::signals
