#include "dialect/candidates.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace firstword::dialect {
namespace {

using promql::Matcher;

// The spellings to try of something that may be written with '~'.
std::span<const std::string> Prefixes(bool uses_prefix, const Dialect& dialect) {
  static const std::string kNone[1];
  return uses_prefix ? std::span<const std::string>(dialect.prefixes) : kNone;
}

// How much of a raw name is needed.
struct Breadth {
  bool all_instances = false;  // a rule may change `instance`
  bool all_buckets = false;    // else the +Inf one tells that the histogram is there

  auto operator<=>(const Breadth&) const = default;
  [[nodiscard]] bool IsWiderThan(Breadth other) const {
    return all_instances > other.all_instances || all_buckets > other.all_buckets;
  }
};

using Needs = std::map<std::string, Breadth>;

void Need(Needs& needs, const std::string& name, Breadth breadth) {
  Breadth& known = needs[name];
  known.all_instances |= breadth.all_instances;
  known.all_buckets |= breadth.all_buckets;
}

bool SetsInstance(const LabelRules& rules) {
  return std::ranges::any_of(rules,
                             [](const auto& entry) { return entry.second.to == "instance"; });
}

bool SetsInstance(const Candidate& candidate) {
  const auto part_does = [](const Part& part) {
    return SetsInstance(part.labels) || part.constants.contains("instance");
  };
  const Alternative& alternative = *candidate.alternative;
  return SetsInstance(candidate.dialect->labels) ||
         std::ranges::any_of(alternative.parts, part_does) ||
         (alternative.sum && part_does(*alternative.sum)) ||
         (alternative.count && part_does(*alternative.count));
}

class Fetcher {
 public:
  Fetcher(std::span<const Matcher> matchers, RawPages& pages) : pages_(pages) {
    for (const Matcher& matcher : matchers) {
      if (matcher.name() == "instance") instance_.push_back(matcher);
    }
  }

  // One selection for all names of equal breadth.
  Result<void> Fetch(const Needs& needs) {
    std::map<Breadth, std::vector<std::string>> batches;
    for (const auto& [name, breadth] : needs) {
      const auto [at, is_new] = fetched_.try_emplace(name, breadth);
      if (is_new || breadth.IsWiderThan(at->second)) batches[breadth].push_back(name);
      at->second = breadth;
    }
    for (const auto& [breadth, names] : batches) {
      std::vector<Matcher> matchers = Narrowing(breadth);
      if (!breadth.all_buckets) matchers.push_back(Matcher::Equal("le", "+Inf"));
      if (Result<void> one = pages_.Fetch(names, matchers); !one) return one;
    }
    return {};
  }

  // The matchers go along: an open selector alone may be half the page.
  Result<void> FetchOpen(const Selector& selector, std::string_view prefix, Breadth breadth) {
    const std::string beginning = selector.NameUnder(prefix);
    if (!open_.insert(beginning + selector.text).second) return {};
    std::vector<Matcher> matchers = Narrowing(breadth);
    matchers.insert(matchers.end(), selector.matchers.begin(), selector.matchers.end());
    return pages_.FetchOpen(beginning, matchers);
  }

 private:
  [[nodiscard]] std::vector<Matcher> Narrowing(Breadth breadth) const {
    return breadth.all_instances ? std::vector<Matcher>() : instance_;
  }

  RawPages& pages_;
  std::vector<Matcher> instance_;
  Needs fetched_;
  std::set<std::string> open_;  // beginning and selector text
};

// Something of it is there, and all that it cannot do without.
bool IsThere(const Candidate& candidate, const RawPages& pages) {
  bool any = false;
  for (const RawName& name : candidate.names) {
    const bool there = pages.Has(name.name);
    if (name.required && !there) return false;
    any = any || there;
  }
  return any;
}

struct Condition {
  const Selector* selector;
  const Candidate* candidate;
};

std::vector<Condition> ConditionsOf(const std::vector<SignalPlan>& plans) {
  std::vector<Condition> conditions;
  for (const SignalPlan& plan : plans) {
    for (const Candidate& candidate : plan.candidates) {
      const std::optional<Selector>& guard = candidate.alternative->guard;
      if (guard) conditions.push_back({&*guard, &candidate});
      for (const Selector& selector : candidate.dialect->detect_unless) {
        conditions.push_back({&selector, &candidate});
      }
    }
  }
  return conditions;
}

// Guards and detect_unless are looked up only for candidates that are there.
Result<void> FetchConditions(const std::vector<SignalPlan>& plans, Fetcher& fetcher) {
  Needs needs;
  for (const auto& [selector, candidate] : ConditionsOf(plans)) {
    const Breadth breadth{.all_instances = SetsInstance(*candidate), .all_buckets = true};
    for (const std::string& prefix : Prefixes(selector->uses_prefix(), *candidate->dialect)) {
      if (!selector->is_open()) {
        Need(needs, selector->NameUnder(prefix), breadth);
        continue;
      }
      if (Result<void> one = fetcher.FetchOpen(*selector, prefix, breadth); !one) return one;
    }
  }
  return fetcher.Fetch(needs);
}

}  // namespace

SignalPlan PlanSignal(const WantedSignal& wanted, const Registry& registry) {
  SignalPlan plan{.wanted = wanted, .candidates = {}};
  for (const Dialect& dialect : registry.dialects()) {
    const auto mapping = std::ranges::find(dialect.signals, wanted.signal, &Mapping::signal);
    if (mapping == dialect.signals.end()) continue;
    for (const Alternative& alternative : mapping->alternatives) {
      for (const std::string& prefix : Prefixes(UsesPrefix(alternative), dialect)) {
        plan.candidates.push_back({.dialect = &dialect,
                                   .alternative = &alternative,
                                   .prefix = prefix,
                                   .names = RawNamesOf(alternative, prefix)});
      }
    }
  }
  return plan;
}

Result<void> FetchCandidates(std::vector<SignalPlan>& plans, std::span<const Matcher> matchers,
                             RawPages& pages) {
  Fetcher fetcher(matchers, pages);
  Needs needs;
  for (const SignalPlan& plan : plans) {
    const bool wants_buckets = plan.wanted.Has(Catalog::Component::kBucket);
    for (const Candidate& candidate : plan.candidates) {
      const bool all_instances = SetsInstance(candidate);
      for (const RawName& name : candidate.names) {
        Need(needs, name.name,
             {.all_instances = all_instances, .all_buckets = !name.is_bucket || wants_buckets});
      }
    }
  }
  if (Result<void> fetched = fetcher.Fetch(needs); !fetched) return fetched;
  for (SignalPlan& plan : plans) {
    std::erase_if(plan.candidates,
                  [&](const Candidate& candidate) { return !IsThere(candidate, pages); });
  }
  return FetchConditions(plans, fetcher);
}

}  // namespace firstword::dialect
