#pragma once

#include <string>

#include "cli/watch/fleet_view.h"

namespace firstword::cli {

// One interval as one JSON object on one line; docs/watch.md is the schema.
[[nodiscard]] std::string WatchJson(const FleetView& view);

}  // namespace firstword::cli
