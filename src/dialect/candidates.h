#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dialect/alternative_rows.h"
#include "dialect/canonical_names.h"
#include "dialect/raw_pages.h"
#include "dialect/registry.h"

namespace firstword::dialect {

// One way to get a signal: an alternative under one spelling of '~'.
struct Candidate {
  const Dialect* dialect = nullptr;
  const Alternative* alternative = nullptr;
  std::string prefix;
  std::vector<RawName> names;
};

// All ways to get one wanted signal, in order of precedence.
struct SignalPlan {
  WantedSignal wanted;
  std::vector<Candidate> candidates;
};
[[nodiscard]] SignalPlan PlanSignal(const WantedSignal& wanted, const Registry& registry);

// Fetches what the plans read, each raw name at most once, and drops the
// candidates of which nothing is there. `matchers` are the request's: those on
// `instance` narrow the fetch where no rule can change that label.
[[nodiscard]] Result<void> FetchCandidates(std::vector<SignalPlan>& plans,
                                           std::span<const promql::Matcher> matchers,
                                           RawPages& pages);

}  // namespace firstword::dialect
