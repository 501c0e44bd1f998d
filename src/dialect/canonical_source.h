#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dialect/registry.h"
#include "promql/source.h"

namespace firstword::dialect {

// Where a canonical value came from. Of a real series of that name `dialect` and
// `alternative` are null.
struct Origin {
  TimestampMs from = 0;  // first row it holds for
  const Dialect* dialect = nullptr;
  const Alternative* alternative = nullptr;
  std::vector<std::string> series;  // raw metric names, e.g. {"vllm:num_requests_waiting"}
};

// A canonical series with its origins in time order: a rename during a rolling
// upgrade is one series with two origins.
struct CanonicalColumn {
  promql::SharedLabels labels;
  std::vector<double> values;
  std::vector<Origin> origins;
  // Raw samples that were taken as copies of one value (e.g. tensor-parallel
  // ranks) in the newest row; 1 when there were none.
  std::size_t copies = 1;
  // Values dropped as impossible (outside the signal's bounds or in `ignore`),
  // and the last such value.
  std::size_t dropped = 0;
  double last_dropped = 0;
};

struct CanonicalGroup {
  promql::SharedTimes times;
  promql::SharedLabels target;
  std::vector<CanonicalColumn> columns;
};

// Any Source seen through the dialects: it answers llm:*, gpu:* and gateway:*
// names as ordinary series and hands every other question on. The one meaning of
// a canonical signal: inspect, watch, rules, diagnosis and the API all ask here.
//
// Per replica (job, instance and, where the dialect says so, replica) and scrape
// time it takes the first alternative that is present. The result carries the
// canonical name, the labels backend, model, rank (engines), those of the signal,
// and the user's target labels; a target label that clashes is kept as
// exported_<name>. Real series with a canonical name win over the computed ones of
// their instance (of all, when they have none). Two jobs that scrape one instance
// are one replica: the first job by name speaks; an instance that is scraped itself
// outranks what a gateway relays about it.
//
// A raw name is fetched at most once a request. Bounds (`le`) are written in the
// signal's unit as the shortest decimal that reads back the same: "0.1", "1", "+Inf".
//
// A selection must name canonical series by __name__="llm:..." or by a regular
// expression that begins with the literal llm:, gpu: or gateway:.
//
// As thread-safe as the inner source.
class CanonicalSource final : public promql::Source {
 public:
  // Both must outlive this.
  CanonicalSource(promql::Source& raw, const Registry& registry);

  [[nodiscard]] Result<std::vector<promql::ColumnGroup>> Select(
      const promql::SelectRequest& request) override;

  // The same answer with its origins. Fails with kInvalid when the request does
  // not name canonical series.
  [[nodiscard]] Result<std::vector<CanonicalGroup>> Resolve(const promql::SelectRequest& request);

  // The series below, as the engine named them.
  [[nodiscard]] promql::Source& raw() { return raw_; }
  [[nodiscard]] const Registry& registry() const { return registry_; }

 private:
  promql::Source& raw_;
  const Registry& registry_;
};

}  // namespace firstword::dialect
