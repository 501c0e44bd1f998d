#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/canonical_source.h"
#include "dialect/detect.h"
#include "signals/decomposition.h"
#include "signals/findings.h"
#include "signals/value.h"

namespace firstword::signals {

// A signal this page does not give, and what that costs.
struct AbsentSignal {
  const dialect::SignalDef* def = nullptr;
  std::string why;   // the dialect's word; may be empty
  std::string cost;  // the catalog's; may be empty
};

// One target read: what it is, what it says, what is odd. `inspect` prints it,
// `watch` shows it, score-monitoring asks it.
struct TargetReport {
  promql::Labels target;
  std::vector<dialect::Detection> detections;     // empty: nothing known on the page
  std::vector<ReplicaSignals> replicas;           // several for Ray or a gateway's relay
  std::vector<TtftDecomposition> decompositions;  // one a replica, same order
  std::vector<AbsentSignal>
      absent;  // engines: llm signals; GPU pages: gpu signals; gateways: gateway
  // Ranks that the page mentions, and those of them that report load.
  std::vector<std::string> ranks_known;
  std::vector<std::string> ranks_reporting;
  std::vector<Finding> findings;  // warnings first

  // The kind of the first detection; nullopt when unknown.
  [[nodiscard]] std::optional<dialect::Kind> kind() const;
  // nullptr when the page has no such finding.
  [[nodiscard]] const Finding* FindFinding(std::string_view code) const;
};

struct ReportOptions {
  // What users were promised; used for "the buckets are too coarse for this".
  double slo_ttft_seconds = 2.0;
  double slo_itl_seconds = 0.1;
};

// Reads every target that has a row in the window, and then looks at them together
// (a router that repeats its engines, one engine scraped twice, GPUs beside engines).
// `target` order is that of their labels.
[[nodiscard]] Result<std::vector<TargetReport>> Examine(dialect::CanonicalSource& source,
                                                        promql::TimeRange window,
                                                        const ReportOptions& options);

}  // namespace firstword::signals
