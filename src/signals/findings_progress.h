#pragma once

#include "signals/checks.h"

// Restarts, standstill and left-over gauges.

namespace firstword::signals {

Findings CheckRestart(const PageView& page, const ReportOptions& options);

using PageFindings = std::vector<PageFinding>;
PageFindings CheckNoProgress(std::span<const PageView> pages, const ReportOptions& options);
PageFindings CheckFrozenGauges(std::span<const PageView> pages, const ReportOptions& options);
PageFindings CheckProgressUnclear(std::span<const PageView> pages, const ReportOptions& options);

}  // namespace firstword::signals
