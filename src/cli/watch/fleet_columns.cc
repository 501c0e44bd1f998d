#include "cli/watch/fleet_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "cli/text/bars.h"
#include "cli/text/format.h"
#include "cli/text/text.h"

namespace firstword::cli {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kBarWidth = 6;
constexpr double kFullKv = 0.95;
constexpr double kStaleIntervals = 3;

using OptionalNumber = std::optional<double> FleetRow::*;
using OptionalInterval = std::optional<signals::Interval> FleetRow::*;

Figure Absent() { return {std::string(kAbsent), Ink::kDim}; }

std::string Percent(double ratio) {
  if (ratio > 0 && ratio < 0.005) return "<1 %";
  return fmt::format("{:.0f} %", ratio * 100);
}

// Names are as wide as the widest, within reason.
std::size_t WidthOf(const std::vector<FleetRow>& rows, std::string FleetRow::* text,
                    std::size_t least, std::size_t most) {
  std::size_t width = least;
  for (const FleetRow& row : rows) width = std::max(width, DisplayWidth(row.*text));
  return std::min(width, most);
}

FleetColumn Text(std::string title, std::size_t width, int drop, std::string FleetRow::* text) {
  return {std::move(title), width, true, drop, [text, width](const FleetRow& row) {
            if ((row.*text).empty()) return Absent();
            return Figure{Shorten(Printable(row.*text), width)};
          }};
}

// The version goes before the name does.
FleetColumn Engine(std::size_t width) {
  return {"ENGINE", width, true, 4, [width](const FleetRow& row) {
            if (row.engine.empty()) return Absent();
            std::string text = Printable(row.engine);
            if (DisplayWidth(text) > width) text.resize(text.rfind(' '));
            return Figure{Shorten(text, width)};
          }};
}

FleetColumn State() {
  return {"STATE", 7, true, 0, [](const FleetRow& row) {
            const Ink ink = [&] {
              switch (row.state) {
                case RowState::kDown:
                case RowState::kWaiting:
                  return Ink::kBad;
                case RowState::kUnknown:
                  return Ink::kWarn;
                case RowState::kServing:
                  return Ink::kGood;
                case RowState::kIdle:
                  return Ink::kDim;
              }
              return Ink::kPlain;
            }();
            return Figure{std::string(StateWord(row.state)), ink};
          }};
}

FleetColumn Number(std::string title, std::size_t width, int drop, OptionalNumber member,
                   Ink above_zero = Ink::kPlain) {
  return {std::move(title), width, false, drop, [member, above_zero](const FleetRow& row) {
            const std::optional<double>& value = row.*member;
            if (!value) return Absent();
            return Figure{FormatBrief(*value), *value > 0 ? above_zero : Ink::kPlain};
          }};
}

FleetColumn Waiting() {
  return {"WAIT", 4, false, 0, [](const FleetRow& row) {
            if (!row.waiting) return Absent();
            const bool pain = *row.waiting > 0 && row.state == RowState::kWaiting;
            return Figure{FormatNumber(*row.waiting), pain ? Ink::kBad : Ink::kPlain};
          }};
}

FleetColumn Share(std::string title, int drop, OptionalNumber member, double warn_from = 2) {
  return {std::move(title), 5, false, drop, [member, warn_from](const FleetRow& row) {
            const std::optional<double>& value = row.*member;
            if (!value) return Absent();
            return Figure{Percent(*value), *value >= warn_from ? Ink::kWarn : Ink::kPlain};
          }};
}

FleetColumn KvBar(bool unicode) {
  return {"", kBarWidth, true, 6, [unicode](const FleetRow& row) {
            if (!row.kv_usage) return Figure{};
            const std::string bar = Bar(*row.kv_usage, kBarWidth, unicode);
            const std::size_t width = DisplayWidth(bar);
            std::string text = bar;
            for (std::size_t i = width; i < kBarWidth; ++i) text += unicode ? "·" : ".";
            return Figure{text, *row.kv_usage >= kFullKv ? Ink::kWarn : Ink::kDim};
          }};
}

FleetColumn Latency(std::string title, int drop, OptionalInterval member, double promised) {
  return {std::move(title), 10, false, drop, [member, promised](const FleetRow& row) {
            const std::optional<signals::Interval>& value = row.*member;
            if (!value) return Absent();
            const Ink late = value->lower >= promised ? Ink::kBad : Ink::kPlain;
            return Figure{FormatIntervalShort(*value, "s"), row.lifetime ? Ink::kDim : late};
          }};
}

FleetColumn Gpu(std::string title, std::size_t width, int drop,
                std::optional<double> GpuFigures::* member, std::string_view unit) {
  return {std::move(title), width, false, drop, [member, unit](const FleetRow& row) {
            const std::optional<double>& value = row.gpu.*member;
            if (!value) return Absent();
            return Figure{unit == "ratio" ? Percent(*value) : FormatValue(*value, unit)};
          }};
}

// What the GPUs of these rows can tell: utilisation, which everybody looks at and which
// says least, and beside it the activity of the pipes where the exporter has it.
void AddGpuColumns(std::vector<FleetColumn>& columns, const std::vector<FleetRow>& rows) {
  const auto any = [&](std::optional<double> GpuFigures::* member) {
    return std::any_of(rows.begin(), rows.end(),
                       [&](const FleetRow& row) { return (row.gpu.*member).has_value(); });
  };
  if (any(&GpuFigures::utilization)) {
    columns.push_back(Gpu("GPU", 5, 3, &GpuFigures::utilization, "ratio"));
  }
  if (any(&GpuFigures::tensor)) {
    columns.push_back(Gpu("TENSOR", 6, 4, &GpuFigures::tensor, "ratio"));
  }
  if (any(&GpuFigures::dram)) columns.push_back(Gpu("DRAM", 5, 4, &GpuFigures::dram, "ratio"));
  if (any(&GpuFigures::power_watts)) {
    columns.push_back(Gpu("POWER", 7, 9, &GpuFigures::power_watts, "W"));
  }
}

FleetColumn History(bool unicode) {
  constexpr std::size_t kWidth = 10;
  return {"WAITING", kWidth, true, 5, [unicode](const FleetRow& row) {
            // A single waiting request is no peak.
            constexpr double kLeastTop = 8;
            const std::string line = Sparkline(row.waiting_history, kWidth, kLeastTop, unicode);
            return Figure{PadLeft(line, kWidth), Ink::kDim};
          }};
}

FleetColumn Age(const FleetView& view) {
  const double stale = kStaleIntervals * std::max(view.interval_seconds, 1.0);
  return {"AGE", 5, false, 11, [stale](const FleetRow& row) {
            if (!row.age_seconds) return Absent();
            return Figure{FormatSeconds(static_cast<double>(std::llround(*row.age_seconds))),
                          *row.age_seconds > stale ? Ink::kWarn : Ink::kDim};
          }};
}

}  // namespace

std::vector<FleetColumn> ReplicaColumns(const FleetView& view, ColumnStyle style) {
  const std::size_t names = WidthOf(view.replicas, &FleetRow::name, 14, 24);
  const std::size_t engines =
      WidthOf(view.replicas, &FleetRow::engine, 8, style.versions ? 20 : 12);
  std::vector<FleetColumn> columns;
  columns.push_back(Text("REPLICA", names, 0, &FleetRow::name));
  columns.push_back(Engine(engines));
  columns.push_back(State());
  columns.push_back(Number("RUN", 4, 0, &FleetRow::running));
  columns.push_back(Waiting());
  columns.push_back(Share("KV", 0, &FleetRow::kv_usage, kFullKv));
  if (style.pictures) columns.push_back(KvBar(style.unicode));
  columns.push_back(Number("PRE/S", 5, 7, &FleetRow::preemptions_per_second, Ink::kWarn));
  columns.push_back(Latency("TTFT p50", 10, &FleetRow::ttft_p50, view.options.slo_ttft_seconds));
  columns.push_back(Latency("TTFT p99", 0, &FleetRow::ttft_p99, view.options.slo_ttft_seconds));
  columns.push_back(Latency("ITL p99", 1, &FleetRow::itl_p99, view.options.slo_itl_seconds));
  columns.push_back(Number("TOK/S", 6, 2, &FleetRow::tokens_per_second));
  columns.push_back(Share("HITS", 8, &FleetRow::prefix_hits));
  AddGpuColumns(columns, view.replicas);
  if (style.pictures) columns.push_back(History(style.unicode));
  columns.push_back(Age(view));
  return columns;
}

std::vector<FleetColumn> GatewayColumns(const FleetView& view) {
  const std::size_t names = WidthOf(view.gateways, &FleetRow::name, 14, 24);
  const std::size_t engines = WidthOf(view.gateways, &FleetRow::engine, 8, 24);
  return {Text("GATEWAY", names, 0, &FleetRow::name),
          Text("KIND", engines, 1, &FleetRow::engine),
          Number("RUN", 5, 0, &FleetRow::running),
          Number("HELD", 5, 0, &FleetRow::waiting),
          Number("REQ/S", 6, 0, &FleetRow::requests_per_second),
          Latency("TTFT p50", 4, &FleetRow::ttft_p50, view.options.slo_ttft_seconds),
          Latency("TTFT p99", 0, &FleetRow::ttft_p99, view.options.slo_ttft_seconds),
          Latency("ITL p99", 3, &FleetRow::itl_p99, view.options.slo_itl_seconds),
          Number("TOK/S", 6, 2, &FleetRow::tokens_per_second),
          Age(view)};
}

std::vector<FleetColumn> GpuColumns(const FleetView& view) {
  const std::size_t names = WidthOf(view.gpu_pages, &FleetRow::name, 14, 24);
  const std::size_t engines = WidthOf(view.gpu_pages, &FleetRow::engine, 8, 24);
  std::vector<FleetColumn> columns = {Text("GPUS", names, 0, &FleetRow::name),
                                      Text("EXPORTER", engines, 1, &FleetRow::engine)};
  columns.push_back(Gpu("GPU", 5, 0, &GpuFigures::utilization, "ratio"));
  columns.push_back(Gpu("TENSOR", 6, 0, &GpuFigures::tensor, "ratio"));
  columns.push_back(Gpu("DRAM", 5, 0, &GpuFigures::dram, "ratio"));
  columns.push_back(Gpu("POWER", 7, 0, &GpuFigures::power_watts, "W"));
  columns.push_back(Age(view));
  return columns;
}

std::vector<FleetColumn> FitColumns(std::vector<FleetColumn> columns, std::size_t width) {
  const auto needed = [&] {
    std::size_t sum = 0;
    for (const FleetColumn& column : columns) sum += column.width + kGap;
    return sum - kGap;
  };
  while (columns.size() > 1 && needed() > width) {
    const auto first = std::max_element(
        columns.begin(), columns.end(),
        [](const FleetColumn& a, const FleetColumn& b) { return a.drop < b.drop; });
    if (first->drop == 0) break;
    columns.erase(first);
  }
  return columns;
}

std::string ReasonText(const FleetRow& row) {
  if (row.report != nullptr || (row.error.empty() && row.headline.empty())) return {};
  if (row.state != RowState::kDown) return row.headline;
  return fmt::format("for {}: {}",
                     FormatSeconds(static_cast<double>(std::llround(row.failing_seconds))),
                     Printable(row.error));
}

}  // namespace firstword::cli
