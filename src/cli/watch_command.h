#pragma once

#include "cli/options/command.h"

namespace firstword::cli {

// firstword watch: a fleet of replicas, live.
[[nodiscard]] Command WatchCommand();

}  // namespace firstword::cli
