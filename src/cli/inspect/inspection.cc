#include "cli/inspect/inspection.h"

#include <algorithm>
#include <map>
#include <utility>

#include "dialect/canonical_source.h"
#include "store/recent_scrapes.h"

namespace firstword::cli {
namespace {

constexpr std::size_t kMaxPrefixes = 6;

// "vllm:" of vllm:num_requests_running, "nv_inference_" of nv_inference_count.
std::string_view PrefixOf(std::string_view name) {
  const std::size_t colon = name.find(':');
  if (colon != std::string_view::npos) return name.substr(0, colon + 1);
  const std::size_t first = name.find('_');
  if (first == std::string_view::npos) return name;
  return name.substr(0, first + 1);
}

std::vector<std::string> FrequentPrefixes(const exposition::Page& page) {
  std::map<std::string_view, std::size_t> counts;
  for (const exposition::Series& series : page.series()) ++counts[PrefixOf(series.name)];
  std::vector<std::pair<std::string_view, std::size_t>> order(counts.begin(), counts.end());
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  if (order.size() > kMaxPrefixes) order.resize(kMaxPrefixes);
  std::vector<std::string> prefixes;
  for (const auto& [prefix, count] : order) prefixes.emplace_back(prefix);
  return prefixes;
}

void DescribePage(Inspection& inspection, const exposition::Page& page) {
  inspection.series = page.series().size();
  inspection.faults.assign(page.faults().begin(), page.faults().end());
  inspection.fault_count = page.fault_count();
  inspection.duplicates = page.duplicate_count();
  inspection.complete = page.complete();
  inspection.prefixes = FrequentPrefixes(page);
}

}  // namespace

Result<Inspection> Inspect(std::span<const Scrape> scrapes, const dialect::Registry& registry,
                           const InspectionOptions& options) {
  const Scrape& newest = scrapes.back();
  const promql::Labels target{{"job", "inspect"}, {"instance", newest.page.instance}};
  store::RecentScrapes store(scrapes.size());
  exposition::PageParser parser({.mode = options.mode, .max_faults = options.max_faults});
  for (const Scrape& scrape : scrapes) {
    if (auto parsed = parser.Parse(scrape.page.body, scrape.page.format); !parsed) {
      return Fail(parsed.error(), scrape.page.name);
    }
    store.Append(target, scrape.time, parser.page());
  }

  dialect::CanonicalSource source(store, registry);
  const promql::TimeRange window{scrapes.front().time - 1, newest.time};
  Result<std::vector<signals::TargetReport>> reports =
      signals::Examine(source, window, options.report);
  if (!reports) return std::unexpected(reports.error());

  Inspection inspection;
  inspection.name = newest.page.name;
  // A page without a single sample has no row, hence no report.
  if (!reports->empty()) inspection.report = std::move(reports->front());
  inspection.headline = signals::HeadlineFor(inspection.report, options.report);
  inspection.scrapes = scrapes.size();
  inspection.window_seconds = static_cast<double>(newest.time - scrapes.front().time) / 1000;
  inspection.odd_content_type = newest.page.odd_content_type;
  DescribePage(inspection, parser.page());
  return inspection;
}

}  // namespace firstword::cli
