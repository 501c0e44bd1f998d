#pragma once

#include "base/result.h"
#include "cli/options/command.h"
#include "cli/watch/watch_options.h"

namespace firstword::cli {

// firstword watch: a fleet of replicas, live.
[[nodiscard]] Command WatchCommand();

// What it does, for a command that brings its own targets.
[[nodiscard]] Result<ExitCode> RunWatch(const WatchOptions& options, Console& console);

}  // namespace firstword::cli
