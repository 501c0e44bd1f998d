#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/canonical_source.h"
#include "promql/labels.h"

namespace firstword::signals {

// One canonical series of a replica over the window.
struct SignalColumn {
  const dialect::SignalDef* def = nullptr;
  dialect::Catalog::Component component = dialect::Catalog::Component::kValue;
  promql::Labels labels;  // beyond the replica's own; without le
  double le = 0;          // of a bucket
  promql::SharedTimes times;
  dialect::CanonicalColumn data;

  // True when the newest row of the target still has a value here.
  [[nodiscard]] bool alive() const;
  [[nodiscard]] double newest_value() const { return data.values.back(); }
};

// The canonical series of one replica (GPU pages: one target), row by row. What the
// figures are computed from, and what checks look at that need the course of a value.
struct ReplicaRows {
  promql::Labels key;
  promql::Labels common;  // backend, model where all series agree
  promql::SharedLabels target;
  TimestampMs from = 0;
  TimestampMs until = 0;
  std::size_t rows = 0;
  std::map<std::string, std::vector<SignalColumn>, std::less<>> columns;  // by signal name

  [[nodiscard]] std::span<const SignalColumn> Find(std::string_view signal) const;
};

// Ordered by key.
[[nodiscard]] Result<std::vector<ReplicaRows>> ReadRows(dialect::CanonicalSource& source,
                                                        promql::TimeRange window);

// A gauge over the rows, label sets combined by its rank rule; kNoSample where it is absent.
struct Course {
  promql::SharedTimes times;
  std::vector<double> values;

  [[nodiscard]] bool empty() const { return values.empty(); }
};
[[nodiscard]] Course CourseOf(const ReplicaRows& rows, std::string_view signal);

// `values` combined by the rule; nullopt when there are none.
[[nodiscard]] std::optional<double> Combine(std::span<const double> values, dialect::RankRule rule);

}  // namespace firstword::signals
