#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/options/command.h"

namespace firstword::cli {

// Finds the command, reads its options, runs it. Answers --help and --version, and turns
// a mistake on the command line into one line on `console.err` and kUsageOrIo.
// `arguments` are those after the program's name.
[[nodiscard]] ExitCode RunProgram(std::span<Command> commands, std::vector<std::string> arguments,
                                  Console& console);

// All commands of the program, in the order of its help.
[[nodiscard]] std::vector<Command> AllCommands();

}  // namespace firstword::cli
