#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "signals/checks.h"
#include "signals/words.h"

namespace firstword::signals {
namespace {

using dialect::KnownFault;

// Increase in the window, or the value since the start where there is only one row.
double Seen(const SignalValue* value) {
  if (value == nullptr) return 0;
  if (value->histogram) return value->histogram->count().value_or(0);
  if (value->increase) return *value->increase;
  return value->value.value_or(0);
}

template <typename F>
std::optional<std::string> AnyReplica(const PageView& page, F f) {
  for (const ReplicaSignals& replica : page.report->replicas) {
    if (std::optional<std::string> seen = f(replica)) return seen;
  }
  return std::nullopt;
}

// Requests still running or waiting have a first token and no end: only what exceeds
// them is missing.
std::optional<std::string> MoreFirstTokensThanFinished(const PageView& page, const KnownFault&) {
  return AnyReplica(page, [](const ReplicaSignals& replica) -> std::optional<std::string> {
    const SignalValue* finished = replica.Find("llm:requests_total");
    if (finished == nullptr) return std::nullopt;
    const double first_tokens = Seen(replica.Find("llm:ttft_seconds"));
    const SignalValue* running = replica.Find("llm:requests_running");
    const double held = running == nullptr ? 0 : running->value.value_or(0);
    if (first_tokens <= Seen(finished) + held) return std::nullopt;
    return fmt::format("{} first tokens, {} finished, {} running", Number(first_tokens),
                       Number(Seen(finished)), Number(held));
  });
}

std::optional<std::string> PreemptionsSeen(const PageView& page, const KnownFault&) {
  return AnyReplica(page, [](const ReplicaSignals& replica) -> std::optional<std::string> {
    const double preempted = Seen(replica.Find("llm:preemptions_total"));
    if (preempted <= 0) return std::nullopt;
    return Count(preempted, "preemption");
  });
}

std::optional<std::string> RatioOutOfRange(const PageView& page, const KnownFault& fault) {
  return AnyReplica(page, [&](const ReplicaSignals& replica) -> std::optional<std::string> {
    for (const auto& [name, value] : replica.values) {
      const bool asked = fault.signal.empty() ? value.def->unit == "ratio" : name == fault.signal;
      if (!asked || value.dropped == 0) continue;
      return fmt::format("{} was {}", name, Number(value.last_dropped));
    }
    return std::nullopt;
  });
}

// Enough was looked up that a cache in order would have found something.
std::optional<std::string> HitsStayZero(const PageView& page, const KnownFault&) {
  constexpr double kEnoughTokens = 10000;
  return AnyReplica(page, [](const ReplicaSignals& replica) -> std::optional<std::string> {
    const SignalValue* hits = replica.Find("llm:prefix_cache_hits_total");
    const double asked = Seen(replica.Find("llm:prefix_cache_queries_total"));
    if (hits == nullptr || Seen(hits) > 0 || asked < kEnoughTokens) return std::nullopt;
    return fmt::format("0 of {} tokens found", Number(asked));
  });
}

// vLLM's V0 gauge says -1 for "prefix caching is off".
std::optional<std::string> HitRateMinusOne(const PageView& page, const KnownFault&) {
  return AnyReplica(page, [](const ReplicaSignals& replica) -> std::optional<std::string> {
    const SignalValue* gauge = replica.Find("llm:prefix_cache_hit_ratio");
    if (gauge == nullptr || gauge->dropped == 0 || gauge->last_dropped != -1) return std::nullopt;
    return "the gauge reads -1";
  });
}

constexpr NamedFaultCheck kFaultChecks[] = {
    {"more_first_tokens_than_finished", MoreFirstTokensThanFinished},
    {"preemptions_seen", PreemptionsSeen},
    {"ratio_out_of_range", RatioOutOfRange},
    {"hits_stay_zero", HitsStayZero},
    {"hit_rate_minus_one", HitRateMinusOne},
};

const NamedFaultCheck* FindFaultCheck(std::string_view name) {
  const auto at = std::find_if(std::begin(kFaultChecks), std::end(kFaultChecks),
                               [name](const NamedFaultCheck& check) { return check.name == name; });
  return at == std::end(kFaultChecks) ? nullptr : at;
}

Finding FindingOf(const KnownFault& fault, const std::string& seen) {
  return {.code = fault.code,
          .severity =
              fault.severity == "warning" ? Finding::Severity::kWarning : Finding::Severity::kInfo,
          .text = seen.empty() ? fault.text : fault.text + " Seen: " + seen + ".",
          .series = {},
          .signal = fault.signal,
          .source = fault.source};
}

void AddFault(const PageView& page, const KnownFault& fault, Findings& found) {
  const auto lends_source_to = [&](std::string_view code) {
    bool any = false;
    for (Finding& finding : found) {
      if (finding.code != code) continue;
      if (finding.source.empty()) finding.source = fault.source;
      any = true;
    }
    return any;
  };
  // The general finding of the same code or check says it already, with this page's numbers.
  if (lends_source_to(fault.code)) return;
  if (fault.check.empty()) {
    found.push_back(FindingOf(fault, {}));
    return;
  }
  if (lends_source_to(fault.check)) return;
  const NamedFaultCheck* named = FindFaultCheck(fault.check);
  if (named == nullptr) return;  // a general check that has not spoken
  if (const auto seen = named->check(page, fault)) found.push_back(FindingOf(fault, *seen));
}

}  // namespace

std::span<const NamedFaultCheck> FaultChecks() { return kFaultChecks; }

bool IsFaultCheck(std::string_view name) {
  if (FindFaultCheck(name) != nullptr) return true;
  const std::vector<std::string_view> codes = FindingCodes();
  return std::find(codes.begin(), codes.end(), name) != codes.end();
}

void AddKnownFaults(const PageView& page, Findings& found) {
  const dialect::PageIndex index(page.series);
  for (const dialect::Detection& detection : page.report->detections) {
    const std::array<std::string, 1> prefix = {detection.prefix};
    for (const KnownFault& fault : detection.dialect->faults) {
      if (!fault.versions.Overlaps(detection.versions)) continue;
      if (!index.Holds(fault.when, fault.unless, prefix)) continue;
      AddFault(page, fault, found);
    }
  }
}

}  // namespace firstword::signals
