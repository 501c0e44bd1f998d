#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "promql/source.h"

namespace firstword::dialect {

// One raw series over the rows of its page.
struct RawSeries {
  promql::SharedLabels labels;
  std::vector<double> values;
};

// What one target exported over time: every row is one scrape.
class RawPage {
 public:
  explicit RawPage(promql::SharedLabels target) : target_(std::move(target)) {}

  [[nodiscard]] const promql::SharedTimes& times() const { return times_; }
  // Null where the source cannot tell the scraper's labels.
  [[nodiscard]] const promql::SharedLabels& target() const { return target_; }
  // The series of one metric name.
  [[nodiscard]] std::span<RawSeries* const> Named(std::string_view name) const;
  [[nodiscard]] const auto& by_name() const { return by_name_; }

  // Adds a column, or the rows it has of a series that is there already.
  void Add(const promql::SharedTimes& times, promql::Column column);

 private:
  struct Hash {
    std::size_t operator()(const promql::Labels* labels) const { return labels->Hash(); }
  };
  struct Equal {
    bool operator()(const promql::Labels* a, const promql::Labels* b) const { return *a == *b; }
  };
  void Widen(const promql::SharedTimes& times);

  promql::SharedLabels target_;
  promql::SharedTimes times_;
  std::deque<RawSeries> series_;  // addresses stay
  std::unordered_map<const promql::Labels*, RawSeries*, Hash, Equal> by_labels_;
  std::map<std::string, std::vector<RawSeries*>, std::less<>> by_name_;
};

// The raw pages of one request, fetched name by name but never one name twice.
class RawPages {
 public:
  // Takes the range, the limits and the stop token of the request.
  RawPages(promql::Source& raw, const promql::SelectRequest& request)
      : raw_(raw), request_(request), samples_left_(request.max_samples) {}

  // Fetches the series whose metric name is one of `names` and that meet
  // `matchers`. Passes the source's errors on.
  [[nodiscard]] Result<void> Fetch(std::span<const std::string> names,
                                   std::span<const promql::Matcher> matchers);
  // The same for every name with this beginning.
  [[nodiscard]] Result<void> FetchOpen(const std::string& beginning,
                                       std::span<const promql::Matcher> matchers);

  [[nodiscard]] const std::map<promql::Labels, RawPage>& pages() const { return pages_; }
  // True when some page has a series of that name.
  [[nodiscard]] bool Has(std::string_view name) const { return names_.contains(name); }

 private:
  [[nodiscard]] Result<void> FetchOne(const std::string& name_pattern,
                                      std::span<const promql::Matcher> matchers);
  RawPage& PageFor(const promql::Labels& key, const promql::SharedLabels& target);

  promql::Source& raw_;
  const promql::SelectRequest& request_;
  std::size_t samples_left_;
  // By target labels; by job and instance where the source cannot tell them.
  std::map<promql::Labels, RawPage> pages_;
  std::set<std::string, std::less<>> names_;  // on any page
};

}  // namespace firstword::dialect
