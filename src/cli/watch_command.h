#pragma once

#include "cli/command.h"

namespace firstword::cli {

// firstword watch: a fleet of replicas, live.
[[nodiscard]] Command WatchCommand();

}  // namespace firstword::cli
