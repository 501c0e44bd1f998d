#pragma once

#include <span>
#include <string>

#include "cli/options/command.h"

namespace firstword::cli {

[[nodiscard]] std::string ProgramHelp(std::span<const Command> commands);
[[nodiscard]] std::string CommandHelp(const Command& command);

}  // namespace firstword::cli
