#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/time.h"
#include "cli/watch/fleet_scraper.h"
#include "signals/fleet.h"
#include "signals/report.h"

namespace firstword::cli {

// The GPUs a replica runs on, as far as a GPU page tells.
struct GpuFigures {
  std::optional<double> utilization;
  std::optional<double> tensor;
  std::optional<double> dram;
  std::optional<double> power_watts;

  [[nodiscard]] bool any() const { return utilization || tensor || dram || power_watts; }
};

// In the order of pain.
enum class RowState : std::uint8_t { kDown, kWaiting, kUnknown, kServing, kIdle };
[[nodiscard]] std::string_view StateWord(RowState state);

// One line of the view: a replica, a gateway or a page of GPUs. What is not known is
// nullopt, never 0.
struct FleetRow {
  std::string id;      // the same from one interval to the next
  std::string name;    // host:port, and the replica's label where one page has several
  std::string engine;  // "vLLM 0.30.0+"
  RowState state = RowState::kUnknown;
  std::string headline;  // a sentence about this one
  std::string error;     // kDown: why
  double failing_seconds = 0;
  std::optional<double> age_seconds;  // of the newest data; nullopt: never any

  std::optional<double> running;
  std::optional<double> waiting;
  std::optional<double> kv_usage;
  std::optional<double> preemptions_per_second;
  std::optional<double> tokens_per_second;
  std::optional<double> requests_per_second;
  std::optional<double> prefix_hits;
  std::optional<signals::Interval> ttft_p50;
  std::optional<signals::Interval> ttft_p99;
  std::optional<signals::Interval> itl_p99;
  bool lifetime = false;  // latencies are since the engine's start, not of the window
  GpuFigures gpu;
  std::vector<double> waiting_history;  // oldest first; NaN where unknown

  // What the rest comes from; null for targets without data.
  const signals::TargetReport* report = nullptr;
  std::size_t replica = 0;  // index in report->replicas
};

// Everything one picture of the fleet needs.
struct FleetView {
  signals::Headline headline;
  signals::FleetSummary summary;
  std::vector<FleetRow> replicas;  // by pain
  std::vector<FleetRow> gateways;
  std::vector<FleetRow> gpu_pages;
  std::size_t targets = 0;
  std::size_t answering = 0;
  TimestampMs time = 0;
  std::string time_text;  // "13:14:07"
  double interval_seconds = 0;
  double window_seconds = 0;
  signals::ReportOptions options;

  // What the rows point into.
  std::shared_ptr<const std::vector<signals::TargetReport>> reports;
};

// The waiting requests of each row over the last intervals.
class WaitingHistory {
 public:
  explicit WaitingHistory(std::size_t max_points) : max_points_(max_points) {}

  void Append(const std::string& id, const std::optional<double>& waiting);
  [[nodiscard]] std::vector<double> Of(const std::string& id) const;
  void Clear() { points_.clear(); }

 private:
  std::size_t max_points_;
  std::map<std::string, std::vector<double>> points_;
};

struct FleetViewInput {
  std::span<const TargetStatus> targets;
  std::vector<signals::TargetReport> reports;
  TimestampMs now = 0;
  signals::ReportOptions options;
};
[[nodiscard]] FleetView MakeFleetView(FleetViewInput input);

enum class SortOrder : std::uint8_t { kPain, kName, kWaiting, kTtft };
[[nodiscard]] std::string_view SortOrderName(SortOrder order);
void SortRows(std::vector<FleetRow>& rows, SortOrder order);

}  // namespace firstword::cli
