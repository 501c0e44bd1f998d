#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "promql/source.h"

namespace firstword::dialect {

// Test double: series in memory, every target with rows at its own times.
class FakeSource final : public promql::Source {
 public:
  // `target` may be null, as of a source that cannot tell. Scraped labels that
  // clash are kept as exported_<name>, as every scraper does.
  void AddTarget(const promql::SharedLabels& target, std::vector<TimestampMs> times) {
    groups_.push_back({.times = std::make_shared<const std::vector<TimestampMs>>(std::move(times)),
                       .target = target,
                       .columns = {}});
  }

  // Adds a series to the last target.
  void AddSeries(promql::Labels labels, std::vector<double> values) {
    promql::ColumnGroup& group = groups_.back();
    if (group.target) {
      for (const promql::Label& label : group.target->all()) {
        if (labels.Has(label.name)) {
          labels.Set("exported_" + label.name, std::string(labels.Get(label.name)));
        }
        labels.Set(label.name, label.value);
      }
    }
    values.resize(group.times->size(), promql::kNoSample);
    group.columns.push_back(
        {std::make_shared<const promql::Labels>(std::move(labels)), std::move(values)});
  }

  Result<std::vector<promql::ColumnGroup>> Select(const promql::SelectRequest& request) override {
    ++selects_;
    std::vector<promql::ColumnGroup> answer;
    std::size_t samples = 0;
    for (const promql::ColumnGroup& from : groups_) {
      promql::ColumnGroup group{.times = from.times, .target = from.target, .columns = {}};
      for (const promql::Column& column : from.columns) {
        if (!promql::MatchesAll(request.matchers, *column.labels)) continue;
        samples += column.values.size();
        group.columns.push_back(column);
      }
      if (!group.columns.empty()) answer.push_back(std::move(group));
    }
    samples_ += samples;
    if (samples > request.max_samples) return Fail(ErrorCode::kLimit, "too many samples");
    return answer;
  }

  [[nodiscard]] std::size_t selects() const { return selects_; }
  [[nodiscard]] std::size_t samples() const { return samples_; }

 private:
  std::vector<promql::ColumnGroup> groups_;
  std::size_t selects_ = 0;
  std::size_t samples_ = 0;
};

}  // namespace firstword::dialect
