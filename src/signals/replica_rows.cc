#include "signals/replica_rows.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace firstword::signals {
namespace {

using dialect::CanonicalColumn;
using dialect::CanonicalGroup;
using dialect::Catalog;
using promql::Label;
using promql::Labels;

bool IsFamilyLabel(std::string_view family, std::string_view name) {
  const auto labels = dialect::FamilyLabels(family);
  return std::find(labels.begin(), labels.end(), name) != labels.end();
}

// The labels that tell replicas apart: what the scraper gave, and job, instance, replica,
// which a dialect may set from the page.
bool IsKeyLabel(std::string_view name, std::string_view family, const Labels& target) {
  if (name == "job" || name == "instance" || name == "replica") return true;
  if (IsFamilyLabel(family, name)) return false;
  constexpr std::string_view kExported = "exported_";
  if (name.starts_with(kExported)) return target.Has(name.substr(kExported.size()));
  return target.Has(name);
}

struct SplitLabels {
  Labels key;
  Labels own;
  double le = 0;
};

SplitLabels Split(const Labels& labels, const dialect::SignalDef& def, const Labels& target) {
  std::vector<Label> key;
  std::vector<Label> own;
  SplitLabels split;
  for (const Label& label : labels.all()) {
    if (label.name == promql::kMetricName) continue;
    if (label.name == "le" && def.type == dialect::SignalType::kHistogram) {
      split.le = std::strtod(label.value.c_str(), nullptr);
      continue;
    }
    (IsKeyLabel(label.name, def.family, target) ? key : own).push_back(label);
  }
  split.key = Labels(std::move(key));
  split.own = Labels(std::move(own));
  return split;
}

// Moves backend and model to `common` where all series agree on them.
void FactorOutCommon(ReplicaRows& rows) {
  for (const std::string_view name : {"backend", "model"}) {
    const std::string* value = nullptr;
    bool agree = true;
    for (const auto& [signal, columns] : rows.columns) {
      for (const SignalColumn& column : columns) {
        for (const Label& label : column.labels.all()) {
          if (label.name != name) continue;
          agree = agree && (value == nullptr || *value == label.value);
          value = &label.value;
        }
      }
    }
    if (value == nullptr || !agree) continue;
    rows.common.Set(name, *value);
    for (auto& [signal, columns] : rows.columns) {
      for (SignalColumn& column : columns) column.labels.Remove(name);
    }
  }
}

class Collector {
 public:
  explicit Collector(const Catalog& catalog) : catalog_(catalog) {}

  void Add(CanonicalGroup group) {
    if (group.times->empty()) return;
    for (CanonicalColumn& column : group.columns) {
      const auto name = catalog_.Resolve(column.labels->metric_name());
      if (!name) continue;
      static const Labels kNoTarget;
      SplitLabels split =
          Split(*column.labels, *name->signal, group.target ? *group.target : kNoTarget);
      ReplicaRows& rows = replicas_[split.key];
      if (rows.rows == 0) {
        rows.from = group.times->front();
        rows.until = group.times->back();
        rows.target = group.target;
      }
      rows.from = std::min(rows.from, group.times->front());
      rows.until = std::max(rows.until, group.times->back());
      rows.rows = std::max(rows.rows, group.times->size());
      rows.columns[name->signal->name].push_back({name->signal, name->component,
                                                  std::move(split.own), split.le, group.times,
                                                  std::move(column)});
    }
  }

  std::vector<ReplicaRows> Take() && {
    std::vector<ReplicaRows> all;
    for (auto& [key, rows] : replicas_) {
      rows.key = key;
      FactorOutCommon(rows);
      all.push_back(std::move(rows));
    }
    return all;
  }

 private:
  const Catalog& catalog_;
  std::map<Labels, ReplicaRows> replicas_;
};

}  // namespace

bool SignalColumn::alive() const {
  return !data.values.empty() && promql::IsSample(newest_value()) && !std::isnan(newest_value());
}

std::span<const SignalColumn> ReplicaRows::Find(std::string_view signal) const {
  const auto at = columns.find(signal);
  if (at == columns.end()) return {};
  return at->second;
}

Result<std::vector<ReplicaRows>> ReadRows(dialect::CanonicalSource& source,
                                          promql::TimeRange window) {
  Collector collector(source.registry().catalog());
  for (const std::string_view names : {"llm:.+", "gpu:.+", "gateway:.+"}) {
    const auto matcher =
        promql::Matcher::Create(promql::kMetricName, promql::MatchOp::kRegex, names);
    if (!matcher) return std::unexpected(matcher.error());
    promql::SelectRequest request;
    request.matchers = std::span(&*matcher, 1);
    request.range = window;
    auto groups = source.Resolve(request);
    if (!groups) return std::unexpected(groups.error());
    for (CanonicalGroup& group : *groups) collector.Add(std::move(group));
  }
  return std::move(collector).Take();
}

std::optional<double> Combine(std::span<const double> values, dialect::RankRule rule) {
  if (values.empty()) return std::nullopt;
  switch (rule) {
    case dialect::RankRule::kSum:
      return std::accumulate(values.begin(), values.end(), 0.0);
    case dialect::RankRule::kMax:
      return *std::max_element(values.begin(), values.end());
    case dialect::RankRule::kFirst:
      break;
  }
  return values.front();
}

Course CourseOf(const ReplicaRows& rows, std::string_view signal) {
  const std::span<const SignalColumn> columns = rows.Find(signal);
  if (columns.empty()) return {};
  Course course{columns.front().times, {}};
  std::vector<double> present;
  for (std::size_t row = 0; row < course.times->size(); ++row) {
    present.clear();
    for (const SignalColumn& column : columns) {
      if (row >= column.data.values.size()) continue;
      const double value = column.data.values[row];
      if (promql::IsSample(value) && !std::isnan(value)) present.push_back(value);
    }
    course.values.push_back(
        Combine(present, columns.front().def->ranks).value_or(promql::kNoSample));
  }
  return course;
}

}  // namespace firstword::signals
