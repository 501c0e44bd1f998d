#pragma once

#include "signals/checks.h"

// What only shows when several targets are looked at together.

namespace firstword::signals {

std::vector<PageFinding> CheckRouterRepeatsEngines(std::span<const PageView> pages,
                                                   const ReportOptions& options);
std::vector<PageFinding> CheckRelayedEngine(std::span<const PageView> pages,
                                            const ReportOptions& options);
std::vector<PageFinding> CheckRepeatedPage(std::span<const PageView> pages,
                                           const ReportOptions& options);
std::vector<PageFinding> CheckStaleData(std::span<const PageView> pages,
                                        const ReportOptions& options);

}  // namespace firstword::signals
