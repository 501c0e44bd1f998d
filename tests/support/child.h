#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace firstword::support {

// A program that ran to its end.
struct Finished {
  int exit_code = -1;  // 128 + signal when one ended it
  std::string out;
  std::string err;
  long max_rss_kib = 0;
};

// Replaces this process, a forked child, with the program; does not return.
[[noreturn]] void Become(const std::vector<std::string>& arguments);

// Runs `arguments` (the first is the program's path) without standard input and waits. A
// program that hangs is killed after `limit`: exit code 137.
[[nodiscard]] Finished RunToEnd(const std::vector<std::string>& arguments,
                                std::chrono::seconds limit = std::chrono::seconds(60));

}  // namespace firstword::support
