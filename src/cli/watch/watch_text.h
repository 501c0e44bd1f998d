#pragma once

#include <string>

#include "cli/text/paint.h"
#include "cli/watch/fleet_view.h"

namespace firstword::cli {

// One interval as plain lines: time and headline, the table, what is wrong. For pipes
// and --plain; as wide as the figures need.
[[nodiscard]] std::string WatchText(const FleetView& view, const Paint& paint, bool unicode);

}  // namespace firstword::cli
