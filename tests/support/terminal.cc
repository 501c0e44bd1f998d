#include "support/terminal.h"

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/check.h"
#include "support/child.h"

namespace firstword::support {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kPatience{30};

}  // namespace

Terminal::Terminal(const std::vector<std::string>& arguments, unsigned short columns,
                   unsigned short rows) {
  const winsize size{.ws_row = rows, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  child_ = ::forkpty(&fd_, nullptr, nullptr, &size);
  CHECK(child_ >= 0);
  if (child_ == 0) {
    ::setenv("TERM", "xterm", 1);
    ::setenv("LC_ALL", "C.UTF-8", 1);
    Become(arguments);
  }
}

Terminal::~Terminal() {
  if (child_ > 0) {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  ::close(fd_);
}

bool Terminal::Shows(std::string_view text) {
  const auto end = steady_clock::now() + kPatience;
  while (drawn_.find(text) == std::string::npos) {
    if (!ReadMore(end)) return false;
  }
  return true;
}

void Terminal::Type(std::string_view keys) {
  drawn_.clear();
  CHECK(::write(fd_, keys.data(), keys.size()) == static_cast<ssize_t>(keys.size()));
}

int Terminal::ExitCode() {
  const auto end = steady_clock::now() + kPatience;
  while (ReadMore(end)) {
  }
  if (steady_clock::now() >= end) ::kill(child_, SIGKILL);
  int status = 0;
  CHECK(::waitpid(child_, &status, 0) == child_);
  child_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool Terminal::ReadMore(steady_clock::time_point end) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - steady_clock::now());
  pollfd terminal{fd_, POLLIN, 0};
  if (::poll(&terminal, 1, static_cast<int>(std::max(left.count(), 0L))) != 1) return false;
  char buffer[4096];
  const ssize_t got = ::read(fd_, buffer, sizeof(buffer));
  if (got <= 0) return false;  // EIO: the program ended.
  drawn_.append(buffer, static_cast<std::size_t>(got));
  return true;
}

}  // namespace firstword::support
