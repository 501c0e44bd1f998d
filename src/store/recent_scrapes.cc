#include "store/recent_scrapes.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace firstword::store {

using promql::Column;
using promql::ColumnGroup;
using promql::Label;
using promql::Labels;
using promql::SharedLabels;

// Rows are short (two for inspect, some hundred for watch), so columns are
// plain deques: old rows leave at the front.
struct RecentScrapes::Target {
  struct Series {
    SharedLabels labels;
    std::deque<double> values;  // as many as `times`
  };

  explicit Target(const Labels& target_labels)
      : labels(std::make_shared<const Labels>(target_labels)) {}

  const SharedLabels labels;
  std::deque<TimestampMs> times;
  std::vector<Series> series;
  std::unordered_map<Labels, std::size_t, promql::LabelsHash> index;
  // Page index -> series index, valid while the page's layout stays.
  std::uint64_t layout_id = 0;
  std::vector<std::size_t> by_page_index;

  bool StartRow(TimestampMs time, std::size_t max_rows) {
    if (!times.empty() && time <= times.back()) return false;
    times.push_back(time);
    for (Series& one : series) {
      const bool had = !one.values.empty() && promql::IsSample(one.values.back());
      one.values.push_back(had ? promql::kStale : promql::kNoSample);
    }
    if (times.size() > max_rows) {
      times.pop_front();
      for (Series& one : series) one.values.pop_front();
    }
    return true;
  }

  std::size_t Find(Labels series_labels) {
    const auto [at, inserted] = index.try_emplace(std::move(series_labels), series.size());
    if (inserted) {
      series.push_back({std::make_shared<const Labels>(at->first),
                        std::deque<double>(times.size(), promql::kNoSample)});
    }
    return at->second;
  }

  // A series that has no sample left in any row is not worth its labels: pods
  // and adapters come and go, and a long watch must stay bounded.
  void ForgetEmptySeries() {
    const auto is_empty = [](const Series& one) {
      return std::none_of(one.values.begin(), one.values.end(), promql::IsSample);
    };
    if (std::none_of(series.begin(), series.end(), is_empty)) return;
    std::erase_if(series, is_empty);
    index.clear();
    for (std::size_t i = 0; i < series.size(); ++i) index.emplace(*series[i].labels, i);
    layout_id = 0;
  }
};

namespace {

Labels SeriesLabels(const Labels& target, const exposition::Series& series) {
  std::vector<Label> labels;
  labels.reserve(series.labels.size() + target.all().size() + 1);
  labels.push_back({std::string(promql::kMetricName), std::string(series.name)});
  for (const exposition::LabelView& label : series.labels) {
    std::string name(label.name);
    if (target.Has(name)) name.insert(0, "exported_");
    labels.push_back({std::move(name), std::string(label.value)});
  }
  labels.insert(labels.end(), target.all().begin(), target.all().end());
  return Labels(std::move(labels));
}

}  // namespace

RecentScrapes::RecentScrapes(std::size_t max_rows) : max_rows_(max_rows) {}
RecentScrapes::~RecentScrapes() = default;

RecentScrapes::Target& RecentScrapes::TargetFor(const Labels& labels) {
  std::unique_ptr<Target>& target = targets_[labels];
  if (!target) target = std::make_unique<Target>(labels);
  return *target;
}

bool RecentScrapes::Append(const Labels& labels, TimestampMs time, const exposition::Page& page) {
  Target& target = TargetFor(labels);
  if (!target.StartRow(time, max_rows_)) return false;
  if (target.layout_id != page.layout_id()) {
    target.ForgetEmptySeries();
    target.by_page_index.clear();
    for (const exposition::Series& series : page.series()) {
      target.by_page_index.push_back(target.Find(SeriesLabels(labels, series)));
    }
    target.layout_id = page.layout_id();
  }
  for (std::size_t i = 0; i < target.by_page_index.size(); ++i) {
    target.series[target.by_page_index[i]].values.back() = page.values()[i];
  }
  return true;
}

bool RecentScrapes::AppendFailure(const Labels& labels, TimestampMs time) {
  return TargetFor(labels).StartRow(time, max_rows_);
}

Result<std::vector<ColumnGroup>> RecentScrapes::Select(const promql::SelectRequest& request) {
  std::vector<ColumnGroup> groups;
  std::size_t samples = 0;
  for (const auto& [labels, target] : targets_) {
    const auto first =
        std::upper_bound(target->times.begin(), target->times.end(), request.range.after);
    const auto last = std::upper_bound(first, target->times.end(), request.range.until);
    if (first == last) continue;
    const auto begin = first - target->times.begin();
    const auto end = last - target->times.begin();
    ColumnGroup group;
    group.target = target->labels;
    group.times = std::make_shared<const std::vector<TimestampMs>>(first, last);
    for (const Target::Series& series : target->series) {
      if (!promql::MatchesAll(request.matchers, *series.labels)) continue;
      Column column{series.labels, std::vector<double>(series.values.begin() + begin,
                                                       series.values.begin() + end)};
      if (std::none_of(column.values.begin(), column.values.end(), promql::IsSample)) continue;
      samples += column.values.size();
      if (samples > request.max_samples) {
        return Fail(ErrorCode::kLimit, "the selection holds more samples than allowed",
                    "narrow the label matchers or the time range");
      }
      group.columns.push_back(std::move(column));
    }
    if (!group.columns.empty()) groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace firstword::store
