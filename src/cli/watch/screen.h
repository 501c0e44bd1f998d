#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "base/result.h"
#include "cli/text/grid.h"
#include "cli/watch/fleet_layout.h"
#include "cli/watch/live_state.h"

namespace firstword::cli {

// A terminal taken over as a whole; given back when this is destroyed.
class Screen {
 public:
  virtual ~Screen() = default;
  [[nodiscard]] virtual ScreenSize size() const = 0;
  virtual void Show(const Grid& grid) = 0;
  // The next key, waiting for it at most `wait`.
  [[nodiscard]] virtual std::optional<Key> NextKey(std::chrono::milliseconds wait) = 0;
};

// Through ncurses, in the only unit that knows it. At most one at a time.
[[nodiscard]] Result<std::unique_ptr<Screen>> OpenTerminal(bool color);

}  // namespace firstword::cli
