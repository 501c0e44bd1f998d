#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace firstword::support {

// A program on a terminal of its own: what it draws can be awaited, and keys typed.
class Terminal {
 public:
  Terminal(const std::vector<std::string>& arguments, unsigned short columns, unsigned short rows);
  ~Terminal();  // kills the program if it still runs
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  // Waits until the program has drawn `text` since the last Type(). A screen library may move
  // the cursor instead of writing blanks: ask for one word. False when the program ended, or
  // half a minute passed.
  [[nodiscard]] bool Shows(std::string_view text);
  void Type(std::string_view keys);

  // Waits for the end; the exit code, 128 + signal when one ended it. A program that has not
  // ended after half a minute is killed.
  [[nodiscard]] int ExitCode();

  // Everything drawn since the last Type(), control sequences included.
  [[nodiscard]] const std::string& drawn() const { return drawn_; }

 private:
  // False when the program ended or `end` has come.
  bool ReadMore(std::chrono::steady_clock::time_point end);

  int fd_ = -1;
  pid_t child_ = -1;
  std::string drawn_;
};

}  // namespace firstword::support
