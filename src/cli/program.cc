#include "cli/program.h"

#include <algorithm>

#include "base/nearest.h"
#include "cli/demo_command.h"
#include "cli/help.h"
#include "cli/inspect_command.h"
#include "cli/options_cli11.h"
#include "cli/simulate_command.h"
#include "cli/watch_command.h"

namespace firstword::cli {
namespace {

bool IsHelp(std::string_view word) { return word == "--help" || word == "-h"; }

ExitCode UnknownCommand(std::span<const Command> commands, std::string_view word,
                        Console& console) {
  std::vector<std::string_view> names;
  for (const Command& command : commands) names.push_back(command.name);
  std::string hint = DidYouMean(word, names);
  if (hint.empty()) hint = "see firstword --help";
  PrintError(console, "firstword",
             {ErrorCode::kInvalid, "unknown command \"" + std::string(word) + "\"", hint});
  return ExitCode::kUsageOrIo;
}

}  // namespace

std::vector<Command> AllCommands() {
  std::vector<Command> commands;
  commands.push_back(DemoCommand());
  commands.push_back(WatchCommand());
  commands.push_back(InspectCommand());
  commands.push_back(SimulateCommand());
  return commands;
}

ExitCode RunProgram(std::span<Command> commands, std::vector<std::string> arguments,
                    Console& console) {
  if (arguments.empty()) {
    console.err << ProgramHelp(commands);
    return ExitCode::kUsageOrIo;
  }
  const std::string word = arguments.front();
  if (IsHelp(word) || word == "help") {
    console.out << ProgramHelp(commands);
    return ExitCode::kGood;
  }
  if (word == "--version") {
    console.out << "firstword " FIRSTWORD_VERSION "\n";
    return ExitCode::kGood;
  }
  const auto command = std::find_if(commands.begin(), commands.end(),
                                    [&](const Command& one) { return one.name == word; });
  if (command == commands.end()) return UnknownCommand(commands, word, console);

  arguments.erase(arguments.begin());
  if (std::any_of(arguments.begin(), arguments.end(), IsHelp)) {
    console.out << CommandHelp(*command);
    return ExitCode::kGood;
  }
  const Result<void> read = ReadOptions(*command, std::move(arguments));
  if (!read) {
    PrintError(console, "firstword " + std::string(command->name), read.error());
    return ExitCode::kUsageOrIo;
  }
  return command->run(console);
}

}  // namespace firstword::cli
