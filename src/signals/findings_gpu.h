#pragma once

#include "signals/checks.h"

// What GPU metrics make people believe.

namespace firstword::signals {

Findings CheckBusyButIdlePipes(const PageView& page, const ReportOptions& options);
Findings CheckProfilingReadsZero(const PageView& page, const ReportOptions& options);
Findings CheckXidChanged(const PageView& page, const ReportOptions& options);

}  // namespace firstword::signals
