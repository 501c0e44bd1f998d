#pragma once

#include "signals/checks.h"

// Oddities of the page itself: what its series are, what is missing or doubled.

namespace firstword::signals {

Findings CheckBlindPage(const PageView& page, const ReportOptions& options);
Findings CheckLastScrape(const PageView& page, const ReportOptions& options);
Findings CheckScrapeGap(const PageView& page, const ReportOptions& options);
Findings CheckEnginesMissing(const PageView& page, const ReportOptions& options);
Findings CheckRanksAreCopies(const PageView& page, const ReportOptions& options);
Findings CheckSeveralProcesses(const PageView& page, const ReportOptions& options);
Findings CheckOldAndNewNames(const PageView& page, const ReportOptions& options);
Findings CheckImpossibleValues(const PageView& page, const ReportOptions& options);
Findings CheckCreatedSeries(const PageView& page, const ReportOptions& options);
Findings CheckHistogramNamedTotal(const PageView& page, const ReportOptions& options);

// The ranks that any series of the page mentions, and those with load gauges.
struct Ranks {
  std::vector<std::string> known;
  std::vector<std::string> reporting;
};
[[nodiscard]] Ranks RanksOf(const PageView& page);

}  // namespace firstword::signals
