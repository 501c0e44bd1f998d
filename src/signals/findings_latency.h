#pragma once

#include "signals/checks.h"

// What the histograms and gauges cannot say, or say against each other.

namespace firstword::signals {

Findings CheckTopBucket(const PageView& page, const ReportOptions& options);
Findings CheckTooFewRequests(const PageView& page, const ReportOptions& options);
Findings CheckBucketsTooCoarse(const PageView& page, const ReportOptions& options);
Findings CheckMixedBuckets(const PageView& page, const ReportOptions& options);
Findings CheckNegativeSum(const PageView& page, const ReportOptions& options);
Findings CheckBurstBetweenScrapes(const PageView& page, const ReportOptions& options);
Findings CheckDeferredWaiting(const PageView& page, const ReportOptions& options);
Findings CheckHitRateGauge(const PageView& page, const ReportOptions& options);

}  // namespace firstword::signals
