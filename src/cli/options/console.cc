#include "cli/options/console.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>

#include "cli/text/text.h"

namespace firstword::cli {
namespace {

int TerminalColumns() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 100;
  return size.ws_col;
}

}  // namespace

bool IsUnicodeLocale(const char* lc_all, const char* lc_ctype, const char* lang) {
  for (const char* value : {lc_all, lc_ctype, lang}) {
    if (value == nullptr || *value == '\0') continue;
    std::string name(value);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const bool names_charset = name.find('.') != std::string::npos;
    return !names_charset || name.find("utf-8") != std::string::npos ||
           name.find("utf8") != std::string::npos;
  }
  return true;
}

void PrintError(Console& console, std::string_view name, const Error& error) {
  console.err << name << ": " << Printable(error.ToString()) << "\n";
}

ExitCode FinishOutput(ExitCode code, Console& console) {
  errno = 0;
  console.out.flush();
  if (console.out) return code;
  const int reason = errno;
  pollfd fd{STDOUT_FILENO, POLLOUT, 0};
  const bool reader_left = poll(&fd, 1, 0) == 1 && (fd.revents & POLLERR) != 0;
  if (reader_left) return code == ExitCode::kUsageOrIo ? code : ExitCode::kGood;
  PrintError(console, "firstword",
             {ErrorCode::kIo,
              reason == 0 ? "cannot write the output"
                          : std::string("cannot write the output: ") + std::strerror(reason),
              "is the disk full?"});
  return ExitCode::kUsageOrIo;
}

Console ProcessConsole() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool out_terminal = isatty(STDOUT_FILENO) == 1;
  const bool dumb = term == nullptr || std::string_view(term) == "dumb";
  return {.in = std::cin,
          .out = std::cout,
          .err = std::cerr,
          .interactive = out_terminal && isatty(STDIN_FILENO) == 1 && !dumb,
          .color = out_terminal && !dumb && (no_color == nullptr || *no_color == '\0'),
          .unicode =
              IsUnicodeLocale(std::getenv("LC_ALL"), std::getenv("LC_CTYPE"), std::getenv("LANG")),
          .columns = out_terminal ? TerminalColumns() : 100};
}

}  // namespace firstword::cli
