#include "signals/findings_gpu.h"

#include <fmt/format.h>

#include <algorithm>

#include "signals/words.h"
#include "signals/xid.h"

namespace firstword::signals {
namespace {

std::string GpuName(const promql::Labels& labels) {
  std::string name =
      "GPU " + std::string(labels.Has("gpu") ? labels.Get("gpu") : labels.Get("uuid"));
  if (labels.Has("host")) name += " of " + std::string(labels.Get("host"));
  return name;
}

const SignalColumn* ColumnFor(const ReplicaRows& rows, std::string_view signal,
                              const promql::Labels& gpu) {
  for (const SignalColumn& column : rows.Find(signal)) {
    if (column.labels == gpu) return &column;
  }
  return nullptr;
}

// The greatest value over the window; nullopt when there is none.
std::optional<double> Highest(const SignalColumn* column) {
  std::optional<double> highest;
  if (column == nullptr) return highest;
  for (const double value : column->data.values) {
    if (promql::IsSample(value)) highest = std::max(highest.value_or(value), value);
  }
  return highest;
}

std::optional<double> Lowest(const SignalColumn& column) {
  std::optional<double> lowest;
  for (const double value : column.data.values) {
    if (promql::IsSample(value)) lowest = std::min(lowest.value_or(value), value);
  }
  return lowest;
}

}  // namespace

Findings CheckBusyButIdlePipes(const PageView& page, const ReportOptions&) {
  // facts: a kernel that waits in a collective or on the host holds the GPU "utilised".
  constexpr double kBusy = 0.9;
  constexpr double kIdleTensor = 0.05;
  constexpr double kIdleDram = 0.15;
  Findings findings;
  for (const ReplicaRows& rows : page.rows) {
    for (const SignalColumn& utilization : rows.Find("gpu:utilization_ratio")) {
      const promql::Labels& gpu = utilization.labels;
      const auto busy = Lowest(utilization);
      const auto tensor = Highest(ColumnFor(rows, "gpu:tensor_active_ratio", gpu));
      const auto dram = Highest(ColumnFor(rows, "gpu:dram_active_ratio", gpu));
      if (!busy || *busy < kBusy || !dram || *dram >= kIdleDram) continue;
      if (tensor.value_or(0) >= kIdleTensor) continue;
      if (*dram == 0 && tensor.value_or(0) == 0) continue;  // profiling itself is broken
      std::string text = fmt::format("{} reads {} utilised, but its memory is {} active",
                                     GpuName(gpu), Percent(*busy), Percent(*dram));
      if (tensor) text += fmt::format(" and its tensor pipes {}", Percent(*tensor));
      if (const auto power = Highest(ColumnFor(rows, "gpu:power_watts", gpu))) {
        text += fmt::format(" at {} W", Number(*power));
      }
      text +=
          ": a kernel is resident and computes next to nothing (a collective or the host is "
          "waited for). It is not compute-bound; more GPUs do not help.";
      findings.push_back(Warning(std::move(text), "gpu:utilization_ratio"));
    }
  }
  return findings;
}

Findings CheckProfilingReadsZero(const PageView& page, const ReportOptions&) {
  constexpr double kBusy = 0.5;
  constexpr std::string_view kProfiled[] = {"gpu:graphics_active_ratio", "gpu:sm_active_ratio",
                                            "gpu:tensor_active_ratio", "gpu:dram_active_ratio"};
  Findings findings;
  for (const ReplicaRows& rows : page.rows) {
    for (const SignalColumn& utilization : rows.Find("gpu:utilization_ratio")) {
      const auto busy = Lowest(utilization);
      std::optional<double> active;
      for (const std::string_view signal : kProfiled) {
        const auto highest = Highest(ColumnFor(rows, signal, utilization.labels));
        if (highest) active = std::max(active.value_or(0), *highest);
      }
      if (!busy || *busy <= kBusy || active != 0.0) continue;
      findings.push_back(Warning(
          fmt::format("{} reads {} utilised while every profiling metric reads 0: the counters are "
                      "broken or another profiler holds them, the GPU is not idle. Restart the "
                      "exporter.",
                      GpuName(utilization.labels), Percent(*busy)),
          "gpu:sm_active_ratio"));
    }
  }
  return findings;
}

Findings CheckXidChanged(const PageView& page, const ReportOptions&) {
  Findings findings;
  for (const ReplicaRows& rows : page.rows) {
    for (const XidEvent& event : XidEvents(rows)) {
      const XidMeaning meaning = MeaningOfXid(event.code);
      std::string text = fmt::format(
          "{}: XID {} ({}, {}) between {} and {}: {}. The gauge keeps this code until the exporter "
          "restarts: one event, not a lasting error.",
          GpuName(event.gpu), event.code, meaning.what, meaning.kind, Moment(event.after),
          Moment(event.time), meaning.advice);
      findings.push_back(Warning(std::move(text), "gpu:xid_code"));
    }
  }
  return findings;
}

}  // namespace firstword::signals
