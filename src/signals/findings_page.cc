#include "signals/findings_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "signals/words.h"

namespace firstword::signals {
namespace {

std::string HowMany(const auto& things, std::string_view noun) {
  return Count(static_cast<double>(things.size()), noun);
}

// Raw labels that some dialect of the page turns into the rank.
std::set<std::string> RankLabels(const PageView& page) {
  std::set<std::string> names;
  for (const dialect::Detection& detection : page.report->detections) {
    for (const auto& [raw, rule] : detection.dialect->labels) {
      if (rule.role == dialect::LabelRule::Role::kTo && rule.to == "rank") names.insert(raw);
    }
  }
  return names;
}

// The raw name of one alternative on this page; empty when it is not there, or is a
// computation of several series.
std::string PresentName(const dialect::Alternative& alternative, const dialect::PageIndex& index,
                        const std::string& prefix) {
  if (alternative.parts.size() != 1) return {};
  dialect::Selector selector = alternative.parts.front().series;
  const auto plain = index.FindUnder(selector, prefix);
  if (plain) return std::string(*plain);
  if (!alternative.is_histogram) return {};
  const std::string base = selector.NameUnder(prefix);
  selector.name += "_count";
  return index.FindUnder(selector, prefix) ? base : std::string{};
}

// A value that the dialect itself lists as "no value" (-1, a blank) is nothing odd.
bool IsDeclaredBlank(const PageView& page, const dialect::SignalDef& signal, double value) {
  const auto has = [value](const dialect::Part& part) {
    return std::find(part.ignore.begin(), part.ignore.end(), value) != part.ignore.end();
  };
  for (const dialect::Detection& detection : page.report->detections) {
    for (const dialect::Mapping& mapping : detection.dialect->signals) {
      if (mapping.signal != &signal) continue;
      for (const dialect::Alternative& alternative : mapping.alternatives) {
        if (std::any_of(alternative.parts.begin(), alternative.parts.end(), has)) return true;
      }
    }
  }
  return false;
}

}  // namespace

Findings CheckBlindPage(const PageView& page, const ReportOptions&) {
  if (!page.report->detections.empty() || page.last_scrape_failed) return {};
  const std::string some = page.names.empty() ? "nothing" : *page.names.begin();
  return {Warning(fmt::format(
      "The page answers ({}, first: {}), but nothing on it is a known engine's, gateway's or GPU "
      "exporter's. Check the port and path, and that the engine exports metrics "
      "(SGLang: --enable-metrics; several API servers: PROMETHEUS_MULTIPROC_DIR).",
      HowMany(page.names, "metric"), some))};
}

Findings CheckLastScrape(const PageView& page, const ReportOptions&) {
  if (!page.last_scrape_failed) return {};
  return {Warning(
      fmt::format("The newest scrape ({}) brought nothing: the target is down, hangs, or answers "
                  "with an error. No current value is shown; what is left covers earlier scrapes.",
                  Moment(page.newest())))};
}

Findings CheckScrapeGap(const PageView& page, const ReportOptions&) {
  const std::vector<TimestampMs>& times = *page.raw.times;
  if (times.size() < 4) return {};
  std::vector<TimestampMs> steps;
  for (std::size_t i = 1; i < times.size(); ++i) steps.push_back(times[i] - times[i - 1]);
  const auto longest = std::max_element(steps.begin(), steps.end());
  const TimestampMs end = times[static_cast<std::size_t>(longest - steps.begin()) + 1];
  const double gap = static_cast<double>(*longest) / 1000;
  std::nth_element(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2),
                   steps.end());
  const double usual = static_cast<double>(steps[steps.size() / 2]) / 1000;
  constexpr double kLongerThanUsual = 3;
  if (gap < kLongerThanUsual * usual) return {};
  return {
      Info(fmt::format("Scrapes come every {}, but there is a gap of {} that ends {}. Gauges "
                       "say nothing about it; counters and histograms do.",
                       Seconds(usual), Seconds(gap), Moment(end)))};
}

Ranks RanksOf(const PageView& page) {
  std::set<std::string> known;
  std::set<std::string> reporting;
  const std::set<std::string> labels = RankLabels(page);
  for (const promql::SharedLabels& series : page.series) {
    for (const std::string& label : labels) {
      if (series->Has(label)) known.emplace(series->Get(label));
    }
  }
  for (const ReplicaRows& rows : page.rows) {
    for (const std::string_view signal : {"llm:requests_running", "llm:requests_waiting"}) {
      for (const SignalColumn& column : rows.Find(signal)) {
        if (column.alive()) reporting.emplace(column.labels.Get("rank"));
      }
    }
  }
  Ranks ranks;
  ranks.known.assign(known.begin(), known.end());
  std::set_intersection(known.begin(), known.end(), reporting.begin(), reporting.end(),
                        std::back_inserter(ranks.reporting));
  return ranks;
}

Findings CheckEnginesMissing(const PageView& page, const ReportOptions&) {
  const std::vector<std::string>& known = page.report->ranks_known;
  const std::vector<std::string>& reporting = page.report->ranks_reporting;
  if (reporting.empty() || reporting.size() == known.size()) return {};
  std::vector<std::string> missing;
  std::set_difference(known.begin(), known.end(), reporting.begin(), reporting.end(),
                      std::back_inserter(missing));
  return {Warning(
      fmt::format("{} of {} engines of this page report load; missing: {}. The sums cover only "
                  "the others and are lower bounds. Look at the log of the missing data-parallel "
                  "engines, or scrape every node.",
                  reporting.size(), known.size(), fmt::join(missing, ", ")),
      "llm:requests_running")};
}

Findings CheckRanksAreCopies(const PageView& page, const ReportOptions&) {
  std::vector<std::string> series;
  std::size_t copies = 1;
  std::string signal;
  for (const ReplicaSignals& replica : page.report->replicas) {
    for (const auto& [name, value] : replica.values) {
      // Of ratios and states the greatest is right with copies and without.
      if (value.copies < 2 || value.def->ranks != dialect::RankRule::kSum) continue;
      copies = std::max(copies, value.copies);
      series.insert(series.end(), value.source.begin(), value.source.end());
      if (signal.empty()) signal = name;
    }
  }
  if (series.empty()) return {};
  return {
      Info(fmt::format("{0} ranks export copies of one number ({1}, e.g. {2}): each is taken once. "
                       "A sum over this page's series counts everything {0} times.",
                       copies, HowMany(series, "metric"), series.front()),
           signal, series)};
}

Findings CheckSeveralProcesses(const PageView& page, const ReportOptions&) {
  if (page.report->detections.empty()) return {};
  std::set<std::string> pids;
  std::set<std::string> names;
  for (const promql::SharedLabels& series : page.series) {
    if (!series->Has("pid")) continue;
    pids.emplace(series->Get("pid"));
    names.emplace(series->metric_name());
  }
  if (pids.size() < 2) return {};
  return {Info(fmt::format("{} processes write this page (label pid on {}, e.g. {}). Some "
                           "gauges are then 0 or repeated in all but one process: never add them "
                           "over pid.",
                           pids.size(), HowMany(names, "metric"), *names.begin()),
               {}, {names.begin(), names.end()})};
}

Findings CheckOldAndNewNames(const PageView& page, const ReportOptions&) {
  const dialect::PageIndex index(page.series);
  Findings findings;
  for (const dialect::Detection& detection : page.report->detections) {
    for (const dialect::Mapping& mapping : detection.dialect->signals) {
      std::string chosen;
      for (const dialect::Alternative& alternative : mapping.alternatives) {
        const std::string name = PresentName(alternative, index, detection.prefix);
        if (name.empty() || name == chosen) continue;
        if (chosen.empty()) {
          chosen = name;
        } else if (alternative.versions.max) {
          findings.push_back(
              Info(fmt::format("{} and its older name {} are both on the page. The newer one is "
                               "read; a query that adds both counts twice.",
                               chosen, name),
                   mapping.signal->name, {chosen, name}));
          break;
        }
      }
    }
  }
  return findings;
}

Findings CheckImpossibleValues(const PageView& page, const ReportOptions&) {
  Findings findings;
  for (const ReplicaSignals& replica : page.report->replicas) {
    for (const auto& [name, value] : replica.values) {
      if (value.dropped == 0 || IsDeclaredBlank(page, *value.def, value.last_dropped)) continue;
      const std::string raw = value.source.empty() ? name : value.source.front();
      findings.push_back(
          Warning(fmt::format("{} gave {} that cannot be ({}, last {}): dropped. Do not alert on "
                              "the raw metric.",
                              raw, Count(static_cast<double>(value.dropped), "value"),
                              value.def->unit, Number(value.last_dropped)),
                  name, value.source));
    }
  }
  return findings;
}

Findings CheckCreatedSeries(const PageView& page, const ReportOptions&) {
  constexpr std::string_view kCreated = "_created";
  std::vector<std::string> created;
  for (const std::string& name : page.names) {
    if (!name.ends_with(kCreated)) continue;
    const std::string base = name.substr(0, name.size() - kCreated.size());
    const bool has_family = page.names.contains(base + "_total") ||
                            page.names.contains(base + "_count") || page.names.contains(base);
    if (has_family) created.push_back(name);
  }
  if (created.empty()) return {};
  return {Info(fmt::format("Ending in _created: {} (e.g. {}). Such series are the times at which a "
                           "counter began, not counts. Use them to see restarts; keep them off "
                           "dashboards.",
                           HowMany(created, "metric"), created.front()),
               {}, created)};
}

Findings CheckHistogramNamedTotal(const PageView& page, const ReportOptions&) {
  constexpr std::string_view kEnding = "_total_bucket";
  Findings findings;
  for (const std::string& name : page.names) {
    if (!name.ends_with(kEnding)) continue;
    const std::string family = name.substr(0, name.size() - std::string_view("_bucket").size());
    findings.push_back(Info(fmt::format("{0} is a histogram in spite of its name: rate({0}) finds "
                                        "nothing. Use {0}_sum, {0}_count or {0}_bucket.",
                                        family),
                            {}, {family}));
  }
  return findings;
}

}  // namespace firstword::signals
