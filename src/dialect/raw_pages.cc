#include "dialect/raw_pages.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace firstword::dialect {
namespace {

using promql::Column;
using promql::ColumnGroup;
using promql::Labels;
using promql::Matcher;
using promql::SharedTimes;

// Long alternations leave RE2's fast path; a store expands short ones to a set.
constexpr std::size_t kNamesPerSelect = 64;

// The values of rows `from`, spread over the rows `to`, which contain them.
std::vector<double> Spread(std::span<const double> values, const std::vector<TimestampMs>& from,
                           const std::vector<TimestampMs>& to) {
  std::vector<double> spread(to.size(), promql::kNoSample);
  std::size_t at = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    while (to[at] < from[i]) ++at;
    spread[at] = values[i];
  }
  return spread;
}

Labels JobAndInstance(const Labels& labels) {
  return Labels{{"job", std::string(labels.Get("job"))},
                {"instance", std::string(labels.Get("instance"))}};
}

bool HasValue(double value) { return promql::IsSample(value) || promql::IsStale(value); }

}  // namespace

std::span<RawSeries* const> RawPage::Named(std::string_view name) const {
  const auto at = by_name_.find(name);
  if (at == by_name_.end()) return {};
  return at->second;
}

void RawPage::Widen(const SharedTimes& times) {
  auto merged = std::make_shared<std::vector<TimestampMs>>();
  std::ranges::set_union(*times_, *times, std::back_inserter(*merged));
  if (merged->size() == times_->size()) return;
  for (RawSeries& series : series_) series.values = Spread(series.values, *times_, *merged);
  times_ = std::move(merged);
}

void RawPage::Add(const SharedTimes& times, Column column) {
  if (!times_) times_ = times;
  if (times_ != times && *times_ != *times) {
    Widen(times);
    column.values = Spread(column.values, *times, *times_);
  }
  const auto [at, is_new] = by_labels_.try_emplace(column.labels.get(), nullptr);
  if (is_new) {
    RawSeries& series =
        series_.emplace_back(RawSeries{std::move(column.labels), std::move(column.values)});
    at->second = &series;
    by_name_[std::string(series.labels->metric_name())].push_back(&series);
    return;
  }
  std::vector<double>& values = at->second->values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (HasValue(column.values[i])) values[i] = column.values[i];
  }
}

Result<void> RawPages::Fetch(std::span<const std::string> names,
                             std::span<const Matcher> matchers) {
  for (std::size_t begin = 0; begin < names.size(); begin += kNamesPerSelect) {
    std::string pattern;
    for (const std::string& name :
         names.subspan(begin).first(std::min(kNamesPerSelect, names.size() - begin))) {
      if (!pattern.empty()) pattern += '|';
      pattern += name;  // letters, digits, '_' and ':' need no escape
    }
    if (Result<void> one = FetchOne(pattern, matchers); !one) return one;
  }
  return {};
}

Result<void> RawPages::FetchOpen(const std::string& beginning, std::span<const Matcher> matchers) {
  return FetchOne(beginning + ".*", matchers);
}

Result<void> RawPages::FetchOne(const std::string& name_pattern,
                                std::span<const Matcher> matchers) {
  const bool is_plain = name_pattern.find_first_of("|*") == std::string::npos;
  std::vector<Matcher> all;
  if (is_plain) {
    all.push_back(Matcher::Equal(promql::kMetricName, name_pattern));
  } else {
    Result<Matcher> name =
        Matcher::Create(promql::kMetricName, promql::MatchOp::kRegex, name_pattern);
    if (!name) return std::unexpected(name.error());
    all.push_back(*std::move(name));
  }
  all.insert(all.end(), matchers.begin(), matchers.end());
  Result<std::vector<ColumnGroup>> groups = raw_.Select({.matchers = all,
                                                         .range = request_.range,
                                                         .max_samples = samples_left_,
                                                         .stop = request_.stop});
  if (!groups) return std::unexpected(groups.error());
  for (ColumnGroup& group : *groups) {
    if (group.times->empty()) continue;
    RawPage* page = group.target ? &PageFor(*group.target, group.target) : nullptr;
    for (Column& column : group.columns) {
      samples_left_ -= std::min(samples_left_, column.values.size());
      if (const std::string_view name = column.labels->metric_name(); !names_.contains(name)) {
        names_.emplace(name);
      }
      RawPage& own = page != nullptr ? *page : PageFor(JobAndInstance(*column.labels), nullptr);
      own.Add(group.times, std::move(column));
    }
  }
  return {};
}

RawPage& RawPages::PageFor(const Labels& key, const promql::SharedLabels& target) {
  return pages_.try_emplace(key, target).first->second;
}

}  // namespace firstword::dialect
