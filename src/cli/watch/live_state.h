#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/watch/fleet_view.h"

namespace firstword::cli {

enum class Key : std::uint8_t {
  kUp,
  kDown,
  kPageUp,
  kPageDown,
  kHome,
  kEnd,
  kEnter,
  kBack,
  kSort,
  kPause,
  kReset,
  kHelp,
  kQuit,
  kResize,  // the terminal has a new size
  kOther,
};
// What a character typed means.
[[nodiscard]] Key KeyOf(int character);

// What the reader of the live view has chosen.
struct LiveState {
  std::string selected;  // a row's id; empty: the first
  bool focused = false;  // one row fills the screen
  bool help = false;
  bool paused = false;
  SortOrder sort = SortOrder::kPain;
  std::size_t scroll = 0;  // lines, in the focus view
  bool quit = false;
  bool reset = false;  // asked to forget all rows; whoever does it clears this

  // `page` is the height of the screen, for paging.
  void Press(Key key, const FleetView& view, std::size_t page);
};

// All rows that can be selected, from top to bottom.
[[nodiscard]] std::vector<const FleetRow*> SelectableRows(const FleetView& view);
// The selected row, the first where that one is gone; null for an empty view.
[[nodiscard]] const FleetRow* SelectedRow(const FleetView& view, const LiveState& state);

}  // namespace firstword::cli
