#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "signals/report.h"

namespace firstword::signals {

// All targets together. Gateways and pages that repeat an engine scraped directly do
// not count; ratios are never added and percentiles never averaged: buckets are.
struct FleetSummary {
  std::size_t replicas = 0;  // engine replicas that count
  std::size_t left_out = 0;  // targets that only repeat others
  // Some engine's ranks do not all report: running and waiting are lower bounds.
  bool partial = false;
  std::optional<double> running;
  std::optional<double> waiting;
  std::optional<double> kv_usage_mean;
  std::optional<double> kv_usage_max;
  std::string kv_usage_max_replica;
  std::optional<Histogram> ttft;
  std::optional<Histogram> itl;
  std::optional<double> generation_tokens_per_second;
  std::vector<Finding> findings;  // about targets together
};

[[nodiscard]] FleetSummary Summarize(std::span<const TargetReport> reports);

// The first look in words: "users are waiting: 15 queued, TTFT p99 between 5 s and 10 s,
// of which queue 96 %", "nobody waits: ...", "cannot tell: ..." with why. `state` is for
// colour: good, waiting, unknown.
struct Headline {
  enum class State : std::uint8_t { kGood, kWaiting, kUnknown };
  State state = State::kUnknown;
  std::string text;
};
[[nodiscard]] Headline HeadlineFor(const TargetReport& report, const ReportOptions& options);
[[nodiscard]] Headline HeadlineFor(const FleetSummary& fleet, std::span<const TargetReport> reports,
                                   const ReportOptions& options);

}  // namespace firstword::signals
