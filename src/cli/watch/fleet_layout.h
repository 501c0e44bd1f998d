#pragma once

#include <cstddef>

#include "cli/text/grid.h"
#include "cli/watch/fleet_view.h"
#include "cli/watch/live_state.h"

namespace firstword::cli {

struct ScreenSize {
  std::size_t columns = 80;
  std::size_t rows = 24;
};

// The whole screen: the fleet, one replica, or the help sheet, as `state` says.
[[nodiscard]] Grid RenderScreen(const FleetView& view, const LiveState& state, ScreenSize size,
                                bool unicode);

// The parts of it.
[[nodiscard]] Grid RenderFleet(const FleetView& view, const LiveState& state, ScreenSize size,
                               bool unicode);
[[nodiscard]] Grid RenderFocus(const FleetView& view, const FleetRow& row, const LiveState& state,
                               ScreenSize size, bool unicode);
[[nodiscard]] Grid RenderHelp(ScreenSize size);

// "64 running, 15 waiting, KV 61 % on average and 96 % at 10.0.0.7:8000, ..."
[[nodiscard]] std::string TotalsText(const FleetView& view);
[[nodiscard]] Ink InkOf(signals::Headline::State state);

// Title on the left, clock and pace on the right; the same on every screen.
void PutTitle(Grid& grid, std::string_view title, const FleetView& view, const LiveState& state);

}  // namespace firstword::cli
