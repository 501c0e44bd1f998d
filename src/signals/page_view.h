#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/page_index.h"
#include "promql/source.h"
#include "signals/replica_rows.h"
#include "signals/report.h"

namespace firstword::signals {

// One target as the checks see it: its report so far and the rows behind it.
struct PageView {
  TargetReport* report = nullptr;
  promql::ColumnGroup raw;        // every raw series over the window
  std::vector<ReplicaRows> rows;  // in the order of report->replicas

  // The series that the newest row has; after a failed scrape those of the window.
  std::vector<promql::SharedLabels> series;
  std::set<std::string, std::less<>> names;  // their metric names
  bool last_scrape_failed = false;           // the newest row has no sample at all

  // Fills the three above from `raw`.
  void IndexNewestRow();

  [[nodiscard]] TimestampMs newest() const { return raw.times->back(); }
  [[nodiscard]] bool Is(dialect::Kind kind) const { return report->kind() == kind; }

  // Newest values of the raw series of that name, with their labels.
  struct RawValue {
    const promql::Labels* labels;
    double value;
  };
  [[nodiscard]] std::vector<RawValue> Raw(std::string_view name) const;
};

}  // namespace firstword::signals
