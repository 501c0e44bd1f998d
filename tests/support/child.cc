#include "support/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "base/check.h"

namespace firstword::support {
namespace {

struct Pipe {
  int read_end = -1;
  int write_end = -1;
};

Pipe OpenPipe() {
  int ends[2];
  CHECK(::pipe2(ends, O_CLOEXEC) == 0);
  return {ends[0], ends[1]};
}

}  // namespace

void Become(const std::vector<std::string>& arguments) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

Finished RunToEnd(const std::vector<std::string>& arguments, std::chrono::seconds limit) {
  using std::chrono::steady_clock;
  const Pipe out = OpenPipe();
  const Pipe err = OpenPipe();
  const pid_t child = ::fork();
  CHECK(child >= 0);
  if (child == 0) {
    ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
    ::dup2(out.write_end, STDOUT_FILENO);
    ::dup2(err.write_end, STDERR_FILENO);
    Become(arguments);
  }
  ::close(out.write_end);
  ::close(err.write_end);

  Finished finished;
  pollfd fds[] = {{out.read_end, POLLIN, 0}, {err.read_end, POLLIN, 0}};
  std::string* const texts[] = {&finished.out, &finished.err};
  const auto end = steady_clock::now() + limit;
  for (int open = 2; open > 0;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - steady_clock::now());
    if (::poll(fds, 2, static_cast<int>(std::max(left.count(), 0L))) == 0) {
      ::kill(child, SIGKILL);
      break;
    }
    for (int i = 0; i < 2; ++i) {
      if (fds[i].revents == 0) continue;
      char buffer[8192];
      const ssize_t got = ::read(fds[i].fd, buffer, sizeof(buffer));
      if (got > 0) {
        texts[i]->append(buffer, static_cast<std::size_t>(got));
      } else {
        fds[i].fd = -1;
        --open;
      }
    }
  }
  ::close(out.read_end);
  ::close(err.read_end);
  int status = 0;
  rusage usage{};
  CHECK(::wait4(child, &status, 0, &usage) == child);
  finished.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  finished.max_rss_kib = usage.ru_maxrss;
  return finished;
}

}  // namespace firstword::support
