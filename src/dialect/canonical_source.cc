#include "dialect/canonical_source.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "dialect/candidates.h"
#include "dialect/canonical_names.h"
#include "dialect/one_replica.h"
#include "dialect/page_conditions.h"
#include "dialect/raw_pages.h"
#include "dialect/row_choice.h"

namespace firstword::dialect {
namespace {

using promql::Column;
using promql::ColumnGroup;
using promql::Matcher;
using promql::SelectRequest;

// Real series with canonical names, by name and instance; they silence the
// computed ones. One without an instance speaks for all.
class RealSeries {
 public:
  void Add(const promql::Labels& labels) {
    instances_[std::string(labels.metric_name())].insert(std::string(labels.Get("instance")));
  }

  [[nodiscard]] bool Silences(const promql::Labels& labels) const {
    const auto at = instances_.find(labels.metric_name());
    if (at == instances_.end()) return false;
    return at->second.contains("") || at->second.contains(labels.Get("instance"));
  }

 private:
  std::map<std::string, std::set<std::string, std::less<>>, std::less<>> instances_;
};

CanonicalGroup AsCanonical(ColumnGroup group) {
  CanonicalGroup canonical{.times = group.times, .target = group.target, .columns = {}};
  for (Column& column : group.columns) {
    CanonicalColumn real;
    real.origins.push_back({.from = group.times->front(),
                            .dialect = nullptr,
                            .alternative = nullptr,
                            .series = {std::string(column.labels->metric_name())}});
    real.labels = std::move(column.labels);
    real.values = std::move(column.values);
    canonical.columns.push_back(std::move(real));
  }
  return canonical;
}

void Mask(const RowMask& allowed, std::vector<AlternativeColumn>& columns) {
  for (AlternativeColumn& one : columns) {
    for (std::size_t i = 0; i < allowed.size(); ++i) {
      if (!allowed[i]) one.column.values[i] = promql::kNoSample;
    }
    std::erase_if(one.column.dropped,
                  [&](const DroppedValue& dropped) { return !allowed[dropped.row]; });
  }
}

// What one page says about one signal.
std::vector<ChosenColumn> ReadPage(const SignalPlan& plan, const RawPage& page) {
  std::vector<Offer> offers;
  for (const Candidate& candidate : plan.candidates) {
    const Dialect& dialect = *candidate.dialect;
    const auto there = [&](const RawName& name) { return !page.Named(name.name).empty(); };
    if (std::ranges::none_of(candidate.names, there)) continue;
    std::vector<AlternativeColumn> columns =
        ReadAlternativeRows(*candidate.alternative, {.page = page,
                                                     .dialect = dialect,
                                                     .signal = *plan.wanted.signal,
                                                     .prefix = candidate.prefix});
    if (const std::optional<Selector>& guard = candidate.alternative->guard) {
      const std::vector<std::string> one_prefix = {candidate.prefix};
      const bool same_prefix = UsesPrefix(*candidate.alternative);
      Mask(RowsWith(*guard, same_prefix ? one_prefix : dialect.prefixes, page), columns);
    }
    if (!dialect.detect_unless.empty()) Mask(RowsAllowedBy(dialect, page), columns);
    if (!columns.empty()) offers.push_back({&dialect, candidate.alternative, std::move(columns)});
  }
  if (offers.empty()) return {};
  return ChooseRows(std::move(offers), plan.wanted, *page.times());
}

bool MatchesLabels(std::span<const Matcher> matchers, const promql::Labels& labels) {
  return std::ranges::all_of(matchers, [&](const Matcher& matcher) {
    return matcher.name() == promql::kMetricName || matcher.Matches(labels.Get(matcher.name()));
  });
}

Result<void> CheckStop(const SelectRequest& request) {
  if (!request.stop.stop_requested()) return {};
  return Fail(ErrorCode::kCancelled, "the request was cancelled");
}

}  // namespace

CanonicalSource::CanonicalSource(promql::Source& raw, const Registry& registry)
    : raw_(raw), registry_(registry) {}

Result<std::vector<CanonicalGroup>> CanonicalSource::Resolve(const SelectRequest& request) {
  const std::optional<std::vector<WantedSignal>> wanted =
      WantedSignals(request.matchers, registry_.catalog());
  if (!wanted) {
    return Fail(ErrorCode::kInvalid, "the selection does not name canonical series",
                "select by __name__ with a name that begins with llm:, gpu: or gateway:");
  }
  Result<std::vector<ColumnGroup>> real = raw_.Select(request);
  if (!real) return std::unexpected(real.error());
  RealSeries real_series;
  std::size_t samples = 0;
  std::vector<CanonicalGroup> groups;
  for (ColumnGroup& group : *real) {
    if (group.times->empty()) continue;
    for (const Column& column : group.columns) {
      real_series.Add(*column.labels);
      samples += column.values.size();
    }
    if (!group.columns.empty()) groups.push_back(AsCanonical(std::move(group)));
  }

  std::vector<SignalPlan> plans;
  for (const WantedSignal& one : *wanted) plans.push_back(PlanSignal(one, registry_));
  SelectRequest rest = request;
  rest.max_samples -= std::min(rest.max_samples, samples);
  RawPages pages(raw_, rest);
  if (Result<void> fetched = FetchCandidates(plans, request.matchers, pages); !fetched) {
    return std::unexpected(fetched.error());
  }

  std::map<const RawPage*, std::vector<CanonicalColumn>> by_page;
  for (const SignalPlan& plan : plans) {
    if (plan.candidates.empty()) continue;
    if (Result<void> go_on = CheckStop(request); !go_on) return std::unexpected(go_on.error());
    std::vector<PageColumns> columns;
    for (const auto& [key, page] : pages.pages()) {
      columns.push_back({.page = &page, .columns = ReadPage(plan, page)});
    }
    KeepOnePagePerReplica(columns);
    for (PageColumns& one : columns) {
      for (ChosenColumn& chosen : one.columns) {
        const promql::Labels& labels = *chosen.column.labels;
        if (real_series.Silences(labels) || !MatchesLabels(request.matchers, labels)) continue;
        by_page[one.page].push_back(std::move(chosen.column));
      }
    }
  }
  for (const auto& [key, page] : pages.pages()) {
    const auto at = by_page.find(&page);
    if (at == by_page.end()) continue;
    groups.push_back(
        {.times = page.times(), .target = page.target(), .columns = std::move(at->second)});
  }
  return groups;
}

Result<std::vector<ColumnGroup>> CanonicalSource::Select(const SelectRequest& request) {
  if (!WantedSignals(request.matchers, registry_.catalog())) return raw_.Select(request);
  Result<std::vector<CanonicalGroup>> resolved = Resolve(request);
  if (!resolved) return std::unexpected(resolved.error());
  std::vector<ColumnGroup> groups;
  for (CanonicalGroup& from : *resolved) {
    ColumnGroup group{.times = from.times, .target = from.target, .columns = {}};
    for (CanonicalColumn& column : from.columns) {
      // Columns of nothing but dropped values are for Resolve's readers.
      if (std::ranges::none_of(column.values, promql::IsSample)) continue;
      group.columns.push_back({std::move(column.labels), std::move(column.values)});
    }
    if (!group.columns.empty()) groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace firstword::dialect
