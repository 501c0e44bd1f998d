#pragma once

#include <string>

#include "base/result.h"
#include "cli/options/console.h"
#include "simulate/fleet/fleet.h"

namespace firstword::cli {

// Lives `fleet` for `duration` of its own time, as fast as the machine can, and writes a
// report: what each replica did before and after the scenario's onset, and what it cost.
// A directory gets the pages at the end, a file each.
[[nodiscard]] Result<void> RunVirtual(simulate::Fleet& fleet, simulate::SimTime duration,
                                      const std::string& pages_directory, Console& console);

}  // namespace firstword::cli
