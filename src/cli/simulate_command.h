#pragma once

#include "cli/options/command.h"

namespace firstword::cli {

// firstword simulate: engines, GPUs and users without a GPU.
[[nodiscard]] Command SimulateCommand();

}  // namespace firstword::cli
