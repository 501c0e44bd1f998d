#include "cli/watch/live_state.h"

#include <algorithm>

namespace firstword::cli {
namespace {

SortOrder Next(SortOrder order) {
  switch (order) {
    case SortOrder::kPain:
      return SortOrder::kWaiting;
    case SortOrder::kWaiting:
      return SortOrder::kTtft;
    case SortOrder::kTtft:
      return SortOrder::kName;
    case SortOrder::kName:
      return SortOrder::kPain;
  }
  return SortOrder::kPain;
}

// Lines to move by, up being negative; the far ends for Home and End.
std::ptrdiff_t StepOf(Key key, std::size_t page) {
  const auto screen = static_cast<std::ptrdiff_t>(std::max<std::size_t>(page, 2) - 1);
  constexpr std::ptrdiff_t kFar = 1'000'000;
  switch (key) {
    case Key::kUp:
      return -1;
    case Key::kDown:
      return 1;
    case Key::kPageUp:
      return -screen;
    case Key::kPageDown:
      return screen;
    case Key::kHome:
      return -kFar;
    case Key::kEnd:
      return kFar;
    default:
      return 0;
  }
}

void MoveSelection(LiveState& state, const FleetView& view, std::ptrdiff_t step) {
  const std::vector<const FleetRow*> rows = SelectableRows(view);
  if (rows.empty()) return;
  const FleetRow* selected = SelectedRow(view, state);
  const auto at = std::find(rows.begin(), rows.end(), selected) - rows.begin();
  const auto last = static_cast<std::ptrdiff_t>(rows.size()) - 1;
  state.selected =
      rows[static_cast<std::size_t>(std::clamp(at + step, std::ptrdiff_t{0}, last))]->id;
}

}  // namespace

Key KeyOf(int character) {
  switch (character) {
    case 'k':
      return Key::kUp;
    case 'j':
      return Key::kDown;
    case 'g':
      return Key::kHome;
    case 'G':
      return Key::kEnd;
    case ' ':
      return Key::kPageDown;
    case '\r':
    case '\n':
      return Key::kEnter;
    case 27:
    case 8:
    case 127:
      return Key::kBack;
    case 's':
      return Key::kSort;
    case 'p':
      return Key::kPause;
    case 'r':
      return Key::kReset;
    case '?':
    case 'h':
      return Key::kHelp;
    case 'q':
    case 'Q':
      return Key::kQuit;
    default:
      return Key::kOther;
  }
}

void LiveState::Press(Key key, const FleetView& view, std::size_t page) {
  // The help sheet closes on any key but quit.
  if (help && key != Key::kQuit && key != Key::kResize) {
    help = false;
    return;
  }
  if (const std::ptrdiff_t step = StepOf(key, page); step != 0) {
    if (!focused) return MoveSelection(*this, view, step);
    const auto target = static_cast<std::ptrdiff_t>(scroll) + step;
    scroll = static_cast<std::size_t>(std::max(target, std::ptrdiff_t{0}));
    return;
  }
  switch (key) {
    case Key::kEnter:
      if (const FleetRow* row = SelectedRow(view, *this)) {
        selected = row->id;
        focused = !focused;
        scroll = 0;
      }
      break;
    case Key::kBack:
      focused = false;
      break;
    case Key::kSort:
      sort = Next(sort);
      break;
    case Key::kPause:
      paused = !paused;
      break;
    case Key::kReset:
      reset = true;
      break;
    case Key::kHelp:
      help = true;
      break;
    case Key::kQuit:
      quit = true;
      break;
    default:
      break;
  }
}

std::vector<const FleetRow*> SelectableRows(const FleetView& view) {
  std::vector<const FleetRow*> rows;
  for (const auto* section : {&view.replicas, &view.gateways, &view.gpu_pages}) {
    for (const FleetRow& row : *section) rows.push_back(&row);
  }
  return rows;
}

const FleetRow* SelectedRow(const FleetView& view, const LiveState& state) {
  const std::vector<const FleetRow*> rows = SelectableRows(view);
  const auto at = std::find_if(rows.begin(), rows.end(),
                               [&](const FleetRow* row) { return row->id == state.selected; });
  if (at != rows.end()) return *at;
  return rows.empty() ? nullptr : rows.front();
}

}  // namespace firstword::cli
