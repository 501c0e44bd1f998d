#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "cli/text/paint.h"
#include "cli/watch/fleet_view.h"

namespace firstword::cli {

struct Figure {
  std::string text;
  Ink ink = Ink::kPlain;
};

// One column of the table of replicas (or gateways, or GPU pages).
struct FleetColumn {
  std::string title;
  std::size_t width = 0;  // fixed, so that nothing moves while data arrive
  bool left = false;
  // Where the screen is too narrow, columns of the highest number go first; 0 stays.
  int drop = 0;
  std::function<Figure(const FleetRow&)> figure;
};

struct ColumnStyle {
  bool unicode = true;
  bool pictures = true;  // bars and curves; plain output has none
  bool versions = true;  // of the engines; a narrow screen has no room for long ones
};

[[nodiscard]] std::vector<FleetColumn> ReplicaColumns(const FleetView& view, ColumnStyle style);
[[nodiscard]] std::vector<FleetColumn> GatewayColumns(const FleetView& view);
[[nodiscard]] std::vector<FleetColumn> GpuColumns(const FleetView& view);

// Those that fit into `width` with two blanks between.
[[nodiscard]] std::vector<FleetColumn> FitColumns(std::vector<FleetColumn> columns,
                                                  std::size_t width);

// Why a row has no figures: "for 12 s: connection refused", "no engine that ...". Empty
// for rows that have some.
[[nodiscard]] std::string ReasonText(const FleetRow& row);

}  // namespace firstword::cli
