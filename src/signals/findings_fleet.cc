#include "signals/findings_fleet.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "signals/membership.h"
#include "signals/words.h"

namespace firstword::signals {
namespace {

std::vector<const TargetReport*> ReportsOf(std::span<const PageView> pages) {
  std::vector<const TargetReport*> reports;
  for (const PageView& page : pages) reports.push_back(page.report);
  return reports;
}

// Raw names that engines' load is read from, each with the label names it has there.
std::map<std::string, std::set<std::string>> EngineNames(std::span<const PageView> pages) {
  std::set<std::string> sources;
  for (const PageView& page : pages) {
    if (!page.Is(dialect::Kind::kEngine)) continue;
    for (const ReplicaSignals& replica : page.report->replicas) {
      for (const auto& [signal, value] : replica.values) {
        sources.insert(value.source.begin(), value.source.end());
      }
    }
  }
  std::map<std::string, std::set<std::string>> names;
  for (const PageView& page : pages) {
    if (!page.Is(dialect::Kind::kEngine)) continue;
    for (const promql::SharedLabels& series : page.series) {
      const std::string name(series->metric_name());
      if (!sources.contains(name)) continue;
      for (const promql::Label& label : series->all()) names[name].insert(label.name);
    }
  }
  return names;
}

// True when a label of the page holds the address, colons rewritten or not.
bool Mentions(const PageView& page, std::string_view instance) {
  const std::string address = WithoutColons(instance);
  if (address.empty()) return false;
  for (const promql::SharedLabels& series : page.series) {
    for (const promql::Label& label : series->all()) {
      if (WithoutColons(label.value).find(address) != std::string::npos) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<PageFinding> CheckRouterRepeatsEngines(std::span<const PageView> pages,
                                                   const ReportOptions&) {
  std::vector<PageFinding> findings;
  const auto engine_names = EngineNames(pages);
  for (std::size_t i = 0; i < pages.size(); ++i) {
    if (!pages[i].Is(dialect::Kind::kGateway)) continue;
    std::set<std::string> shared;
    std::set<std::string> only_here;
    std::set<std::string> missing;
    for (const promql::SharedLabels& series : pages[i].series) {
      const auto at = engine_names.find(std::string(series->metric_name()));
      if (at == engine_names.end()) continue;
      shared.insert(at->first);
      for (const promql::Label& label : series->all()) {
        if (!at->second.contains(label.name)) only_here.insert(label.name);
      }
      for (const std::string& label : at->second) {
        if (!series->Has(label)) missing.insert(label);
      }
    }
    if (shared.empty()) continue;
    findings.push_back(
        {i,
         Warning(fmt::format(
                     "This gateway repeats its engines' gauges under the same names ({}; "
                     "label {} there, no {}). It is left out of all sums; in your own "
                     "queries keep its job out.",
                     fmt::join(shared, ", "),
                     only_here.empty() ? "none" : fmt::format("{}", fmt::join(only_here, ", ")),
                     missing.empty() ? "difference" : fmt::format("{}", fmt::join(missing, ", "))),
                 "llm:requests_running", {shared.begin(), shared.end()})});
  }
  return findings;
}

std::vector<PageFinding> CheckRelayedEngine(std::span<const PageView> pages, const ReportOptions&) {
  std::vector<PageFinding> findings;
  const std::vector<const TargetReport*> reports = ReportsOf(pages);
  for (const Member& member : MembersOf(reports)) {
    if (member.role != Member::Role::kRelayed) continue;
    const ReplicaSignals& relay = reports[member.report]->replicas[member.replica];
    const std::string_view model = relay.labels.Get("model");
    std::string renamed;
    for (const ReplicaSignals& direct : reports[member.original]->replicas) {
      const std::string_view other = direct.labels.Get("model");
      if (other != model) {
        renamed = fmt::format(
            " Gateways rewrite every colon, in metric names and in label values: "
            "model {} here is {} there.",
            model, other);
      }
    }
    findings.push_back(
        {member.report,
         Warning(fmt::format("The engine {} is seen here through a gateway and directly at {}: one "
                             "engine, counted once.{}",
                             NameOf(relay.key), NameOf(reports[member.original]->target), renamed),
                 "llm:requests_running")});
  }
  return findings;
}

std::vector<PageFinding> CheckRepeatedPage(std::span<const PageView> pages, const ReportOptions&) {
  std::vector<PageFinding> findings;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    if (!pages[i].Is(dialect::Kind::kEngine) || !pages[i].rows.empty()) continue;
    for (const PageView& other : pages) {
      if (other.rows.empty() || !Mentions(pages[i], other.report->target.Get("instance"))) continue;
      findings.push_back({i, Warning(fmt::format(
                                 "Nothing is read from this page: its engine is scraped as well at "
                                 "{} (job {}) and counted there. Remove one of the two.",
                                 NameOf(other.report->target), other.report->target.Get("job")))});
      break;
    }
  }
  return findings;
}

std::vector<PageFinding> CheckStaleData(std::span<const PageView> pages, const ReportOptions&) {
  std::vector<PageFinding> findings;
  if (pages.empty()) return findings;
  TimestampMs newest = pages.front().newest();
  for (const PageView& page : pages) newest = std::max(newest, page.newest());
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const std::vector<TimestampMs>& times = *pages[i].raw.times;
    const double age = static_cast<double>(newest - times.back()) / 1000;
    const double interval = times.size() < 2 ? 0
                                             : static_cast<double>(times.back() - times.front()) /
                                                   1000 / static_cast<double>(times.size() - 1);
    constexpr double kMissedScrapes = 3;
    constexpr double kAtLeastSeconds = 30;
    if (age < std::max(kAtLeastSeconds, kMissedScrapes * interval)) continue;
    findings.push_back(
        {i, Warning(fmt::format("The newest data of this target are {} older than those of others: "
                                "it is no longer scraped. Its figures are of {}.",
                                Seconds(age), Moment(times.back())))});
  }
  return findings;
}

}  // namespace firstword::signals
