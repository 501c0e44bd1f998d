#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/options/command.h"

namespace firstword::cli {

// Reads `arguments` (those after the command's name) into the targets of `command`.
// Fails with kInvalid and a message that names the option; an unknown one comes with
// the closest that exists. The only unit that knows CLI11.
[[nodiscard]] Result<void> ReadOptions(const Command& command, std::vector<std::string> arguments);

}  // namespace firstword::cli
