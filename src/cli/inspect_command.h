#pragma once

#include "cli/options/command.h"

namespace firstword::cli {

// firstword inspect: one metrics page as canonical signals.
[[nodiscard]] Command InspectCommand();

}  // namespace firstword::cli
