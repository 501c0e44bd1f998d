#pragma once

#include <istream>
#include <ostream>

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

// What LC_ALL, LC_CTYPE and LANG (null when unset) say of the character set. One that
// is not named counts as UTF-8: containers often have no locale at all.
[[nodiscard]] bool IsUnicodeLocale(const char* lc_all, const char* lc_ctype, const char* lang);

}  // namespace firstword::cli
