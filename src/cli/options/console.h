#pragma once

#include <istream>
#include <ostream>
#include <string_view>

#include "base/result.h"
#include "cli/options/exit_code.h"

namespace firstword::cli {

// Where a command talks to, and what that place can show.
struct Console {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  bool interactive = false;  // both ends are a terminal: a live screen makes sense
  bool color = false;        // a terminal, and NO_COLOR is not set
  bool unicode = true;       // false: the locale names another character set
  int columns = 100;
};

// The process's own streams and terminal.
[[nodiscard]] Console ProcessConsole();

// Writes "NAME: message (hint)" as one line to console.err. What came from the command
// line or a server may hold control characters; none reaches the terminal.
void PrintError(Console& console, std::string_view name, const Error& error);

// Flushes the output of a command that ended with `code`. A reader who went away
// (`| head`) is no failure; a full disk is: then a line on console.err and kUsageOrIo.
[[nodiscard]] ExitCode FinishOutput(ExitCode code, Console& console);

// What LC_ALL, LC_CTYPE and LANG (null when unset) say of the character set. One that
// is not named counts as UTF-8: containers often have no locale at all.
[[nodiscard]] bool IsUnicodeLocale(const char* lc_all, const char* lc_ctype, const char* lang);

}  // namespace firstword::cli
