#include "signals/xid.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <string>
#include <tuple>

namespace firstword::signals {
namespace {

constexpr std::string_view kRestart = "restart the engine";
constexpr std::string_view kReset = "drain the node and reset the GPU";
constexpr std::string_view kPartner = "look for the XID beside it";

// Ordered by code.
constexpr XidMeaning kMeanings[] = {
    {8, "GPU stopped answering a channel", "application", kRestart, false},
    {13, "graphics engine exception", "application", kRestart, false},
    {31, "GPU memory page fault", "application", kRestart, false},
    {32, "corrupted push buffer", "application", kRestart, false},
    {43, "GPU stopped processing", "application", kRestart, false},
    {45, "clean-up after another fault", "consequence", kPartner, false},
    {46, "GPU stopped", "hardware or firmware", kReset, true},
    {48, "double-bit memory error", "memory hardware", kReset, true},
    {54, "auxiliary power missing", "hardware", "check power cables and seating", true},
    {62, "micro-controller halt", "hardware or firmware", kReset, true},
    {63, "memory row remapped", "memory hardware", "reset the GPU at the next window", true},
    {64, "memory row could not be remapped", "memory hardware",
     "reset the GPU; replace it if this repeats", true},
    {74, "NVLink error", "link", "check NVLink; a tensor-parallel engine may stall", true},
    {79, "GPU fell off the bus", "hardware", "power-cycle the node", true},
    {92, "many corrected memory errors", "memory hardware", "watch the trend", true},
    {94, "contained memory error", "memory hardware", kRestart, true},
    {95, "uncontained memory error", "memory hardware", kReset, true},
    {109, "context switch timeout", "driver or hardware", kReset, true},
    {110, "security fault", "driver or hardware", kReset, true},
    {119, "GSP did not answer", "firmware", kReset, true},
    {120, "GSP error", "firmware", kReset, true},
    {121, "chip-to-chip link error", "link", "watch; call support if it repeats", true},
    {136, "link training failed", "link", kReset, true},
    {137, "NVLink privilege error", "link", "look at the GPU at the other end of the link", true},
    {140, "unrecovered memory error", "memory hardware", kReset, true},
    {143, "GPU initialisation failed", "hardware", kReset, true},
    {154, "recovery action changed", "pointer", "do what the driver log names", false},
};

void EventsOfGauge(const SignalColumn& column, std::vector<XidEvent>& events) {
  const std::vector<TimestampMs>& times = *column.times;
  double last = 0;  // across failed scrapes: a code that comes back is no new error
  for (std::size_t row = 0; row < column.data.values.size(); ++row) {
    const double value = column.data.values[row];
    if (!promql::IsSample(value)) continue;
    if (row > 0 && value > 0 && value != last) {
      events.push_back({column.labels, static_cast<int>(value), times[row - 1], times[row]});
    }
    last = value;
  }
}

void EventsOfCounter(const SignalColumn& column, std::vector<XidEvent>& events) {
  const int code = std::atoi(std::string(column.labels.Get("xid")).c_str());
  const std::vector<TimestampMs>& times = *column.times;
  promql::Labels gpu = column.labels;
  gpu.Remove("xid");
  for (std::size_t row = 1; row < column.data.values.size(); ++row) {
    const double value = column.data.values[row];
    const double before = column.data.values[row - 1];
    if (!promql::IsSample(value) || value <= 0) continue;
    if (promql::IsSample(before) && value <= before) continue;
    events.push_back({gpu, code, times[row - 1], times[row]});
  }
}

}  // namespace

std::vector<XidEvent> XidEvents(const ReplicaRows& rows) {
  std::vector<XidEvent> events;
  for (const SignalColumn& column : rows.Find("gpu:xid_code")) EventsOfGauge(column, events);
  for (const SignalColumn& column : rows.Find("gpu:xid_errors_total")) {
    EventsOfCounter(column, events);
  }
  std::sort(events.begin(), events.end(), [](const XidEvent& a, const XidEvent& b) {
    return std::tie(a.time, a.code, a.gpu) < std::tie(b.time, b.code, b.gpu);
  });
  // Gauge and counter tell of the same error.
  const auto same = [](const XidEvent& a, const XidEvent& b) {
    return a.time == b.time && a.code == b.code && a.gpu == b.gpu;
  };
  events.erase(std::unique(events.begin(), events.end(), same), events.end());
  return events;
}

XidMeaning MeaningOfXid(int code) {
  if (code >= 144 && code <= 150) {
    return {code, "NVLink unit error", "link", "check NVLink and the fabric manager", true};
  }
  const auto at = std::lower_bound(std::begin(kMeanings), std::end(kMeanings), code,
                                   [](const XidMeaning& m, int c) { return m.code < c; });
  if (at != std::end(kMeanings) && at->code == code) return *at;
  return {code, "GPU error", "unclassified", "look it up in NVIDIA's XID catalogue", false};
}

}  // namespace firstword::signals
