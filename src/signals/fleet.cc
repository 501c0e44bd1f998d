#include "signals/fleet.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "signals/checks.h"
#include "signals/membership.h"
#include "signals/words.h"

namespace firstword::signals {
namespace {

using Counted = std::vector<const ReplicaSignals*>;

// Adds a figure to a sum; absent ones leave it alone, so that a sum of nothing is absent.
void AddTo(std::optional<double>& sum, std::optional<double> value) {
  if (value) sum = sum.value_or(0) + *value;
}

const SignalValue* Get(const ReplicaSignals* replica, std::string_view signal) {
  return replica->Find(signal);
}

// All replicas' observations. Those of one window are never mixed with those of a
// lifetime: a replica that was seen once would outweigh the rest.
std::optional<Histogram> AddUp(const Counted& replicas, std::string_view signal) {
  bool any_window = false;
  for (const ReplicaSignals* replica : replicas) {
    const SignalValue* value = Get(replica, signal);
    any_window = any_window || (value != nullptr && value->histogram && !value->lifetime);
  }
  std::optional<Histogram> sum;
  for (const ReplicaSignals* replica : replicas) {
    const SignalValue* value = Get(replica, signal);
    if (value == nullptr || !value->histogram || value->lifetime == any_window) continue;
    if (!sum) sum.emplace();
    sum->Add(*value->histogram);
  }
  return sum;
}

void SumKvUsage(const Counted& replicas, FleetSummary& fleet) {
  double sum = 0;
  std::size_t known = 0;
  for (const ReplicaSignals* replica : replicas) {
    const SignalValue* usage = Get(replica, "llm:kv_cache_usage_ratio");
    if (usage == nullptr || !usage->value) continue;
    ++known;
    sum += usage->mean.value_or(*usage->value);
    if (*usage->value > fleet.kv_usage_max.value_or(-1)) {
      fleet.kv_usage_max = usage->value;
      fleet.kv_usage_max_replica = NameOf(replica->key);
    }
  }
  if (known > 0) fleet.kv_usage_mean = sum / static_cast<double>(known);
}

void CheckKvUsage(FleetSummary& fleet) {
  constexpr double kNearlyFull = 0.9;
  constexpr double kUneven = 0.15;
  if (!fleet.kv_usage_max || *fleet.kv_usage_max < kNearlyFull) return;
  if (*fleet.kv_usage_max - *fleet.kv_usage_mean < kUneven) return;
  Finding finding = Warning(
      fmt::format("{} is nearly full: {} of its KV cache is held; the mean of the fleet ({}) hides "
                  "it. Look at how requests are routed; never add or only average this ratio.",
                  fleet.kv_usage_max_replica, Percent(*fleet.kv_usage_max),
                  Percent(*fleet.kv_usage_mean)),
      "llm:kv_cache_usage_ratio");
  finding.code = kKvUsageUneven;
  fleet.findings.push_back(std::move(finding));
}

void CheckSlowReplicas(const Counted& replicas, FleetSummary& fleet) {
  constexpr double kMuchSlower = 4;
  const auto fleet_median = fleet.ttft ? fleet.ttft->Quantile(0.5) : std::nullopt;
  if (!fleet_median) return;
  for (const ReplicaSignals* replica : replicas) {
    const SignalValue* ttft = Get(replica, "llm:ttft_seconds");
    if (ttft == nullptr || !ttft->histogram) continue;
    const auto median = ttft->histogram->Quantile(0.5);
    if (!median || median->lower < kMuchSlower * fleet_median->upper) continue;
    Finding finding = Warning(
        fmt::format("{} is slow: half of its {} took {} or longer to the first token; in the fleet "
                    "half take {}. Few requests hide it in the fleet's figures.",
                    NameOf(replica->key), Count(ttft->histogram->count().value_or(0), "request"),
                    Seconds(median->lower), Range(*fleet_median)),
        "llm:ttft_seconds");
    finding.code = kSlowReplica;
    fleet.findings.push_back(std::move(finding));
  }
}

}  // namespace

FleetSummary Summarize(std::span<const TargetReport> reports) {
  std::vector<const TargetReport*> pointers;
  for (const TargetReport& report : reports) pointers.push_back(&report);

  FleetSummary fleet;
  Counted replicas;
  std::set<std::size_t> counted;
  std::set<std::size_t> repeating;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    if (reports[i].kind() == dialect::Kind::kGateway || reports[i].FindFinding("repeated_page")) {
      repeating.insert(i);
    }
  }
  for (const Member& member : MembersOf(pointers)) {
    if (member.role != Member::Role::kCounts) {
      repeating.insert(member.report);
      continue;
    }
    counted.insert(member.report);
    replicas.push_back(&reports[member.report].replicas[member.replica]);
  }
  for (const std::size_t report : counted) {
    repeating.erase(report);
    fleet.partial = fleet.partial || reports[report].FindFinding("engines_missing") != nullptr;
  }
  fleet.replicas = replicas.size();
  fleet.left_out = repeating.size();

  for (const ReplicaSignals* replica : replicas) {
    if (const auto* value = Get(replica, "llm:requests_running"))
      AddTo(fleet.running, value->value);
    if (const auto* value = Get(replica, "llm:requests_waiting"))
      AddTo(fleet.waiting, value->value);
    if (const auto* value = Get(replica, "llm:generation_tokens_total")) {
      AddTo(fleet.generation_tokens_per_second, value->rate);
    }
  }
  SumKvUsage(replicas, fleet);
  fleet.ttft = AddUp(replicas, "llm:ttft_seconds");
  fleet.itl = AddUp(replicas, "llm:itl_seconds");
  CheckKvUsage(fleet);
  CheckSlowReplicas(replicas, fleet);
  return fleet;
}

}  // namespace firstword::signals
