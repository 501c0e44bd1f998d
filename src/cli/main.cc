#include <csignal>
#include <string>
#include <vector>

#include "cli/program.h"

int main(int argc, char** argv) {
  // A reader that went away (`firstword inspect ... | head`) ends the output, not us.
  std::signal(SIGPIPE, SIG_IGN);
  using namespace firstword::cli;
  Console console = ProcessConsole();
  std::vector<Command> commands = AllCommands();
  const ExitCode code =
      RunProgram(commands, std::vector<std::string>(argv + 1, argv + argc), console);
  return static_cast<int>(FinishOutput(code, console));
}
