#pragma once

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

// Runs `arguments` (the first is the program's path) without standard input and waits.
[[nodiscard]] Finished RunToEnd(const std::vector<std::string>& arguments);

}  // namespace firstword::support
