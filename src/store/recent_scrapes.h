#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "base/time.h"
#include "exposition/page.h"
#include "promql/labels.h"
#include "promql/source.h"

namespace firstword::store {

// The last scrapes of a handful of targets, held in memory as the engine named
// them: what `inspect` and `watch` read. One target's scrape is one row of its
// group: one time, one value for every series.
//
// Not thread-safe: one owner appends and selects.
class RecentScrapes final : public promql::Source {
 public:
  // Older rows than the newest `max_rows` of a target are forgotten.
  explicit RecentScrapes(std::size_t max_rows);
  ~RecentScrapes() override;

  // `target` is what the scraper knows about where the page came from (job,
  // instance, ...). A scraped label of the same name is kept as
  // exported_<name>. Rows must grow in time; an older or equal time is ignored
  // and false returned. A series missing from this page gets a stale marker. A
  // sample's own timestamp is ignored: a row has one time.
  bool Append(const promql::Labels& target, TimestampMs time, const exposition::Page& page);

  // The scrape failed: every series of the target ends here.
  bool AppendFailure(const promql::Labels& target, TimestampMs time);

  [[nodiscard]] Result<std::vector<promql::ColumnGroup>> Select(
      const promql::SelectRequest& request) override;

 private:
  struct Target;
  Target& TargetFor(const promql::Labels& labels);

  std::size_t max_rows_;
  std::map<promql::Labels, std::unique_ptr<Target>> targets_;
};

}  // namespace firstword::store
