#include "signals/page_view.h"

#include <algorithm>

namespace firstword::signals {

void PageView::IndexNewestRow() {
  const auto is_alive = [](const promql::Column& column) {
    return promql::IsSample(column.values.back());
  };
  last_scrape_failed = std::none_of(raw.columns.begin(), raw.columns.end(), is_alive);
  for (const promql::Column& column : raw.columns) {
    if (!last_scrape_failed && !is_alive(column)) continue;
    series.push_back(column.labels);
    names.emplace(column.labels->metric_name());
  }
}

std::vector<PageView::RawValue> PageView::Raw(std::string_view name) const {
  std::vector<RawValue> values;
  if (!names.contains(name)) return values;
  for (const promql::Column& column : raw.columns) {
    if (column.labels->metric_name() != name || !promql::IsSample(column.values.back())) continue;
    values.push_back({column.labels.get(), column.values.back()});
  }
  return values;
}

}  // namespace firstword::signals
