#pragma once

#include "cli/options/command.h"

namespace firstword::cli {

// firstword demo: a simulated fleet, watched.
[[nodiscard]] Command DemoCommand();

}  // namespace firstword::cli
