#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/options/console.h"
#include "cli/options/exit_code.h"

namespace firstword::cli {

// Where an option's value goes, which also says how its text is read. What stands there
// before is the default.
using OptionTarget = std::variant<bool*,                                    // a flag
                                  int*,                                     // at least 0
                                  std::size_t*,                             // a size in bytes
                                  std::string*, std::vector<std::string>*,  // may be repeated
                                  std::optional<double>*,                   // a number, at least 0
                                  std::chrono::milliseconds*,               // a duration
                                  std::optional<std::chrono::milliseconds>*>;

struct Option {
  std::string_view name;          // "--interval", or "-h,--help"
  std::string_view metavariable;  // "SECONDS"; empty for flags
  std::string_view help;
  std::string_view default_text;  // as shown by --help; empty: none
  OptionTarget target;
};

struct OptionGroup {
  std::string_view title;
  std::vector<Option> options;
};

// One command: what it is called, what it takes and what it does. Pure data but for
// `run`; `run` owns what the targets point to.
struct Command {
  std::string_view name;
  std::string_view summary;      // one line for the list of commands
  std::string_view arguments;    // "URL|FILE [FILE2]"
  std::string_view description;  // a paragraph
  std::string_view examples;     // lines, each indented by two blanks
  std::vector<OptionGroup> groups;
  std::vector<std::string>* positional = nullptr;
  std::move_only_function<ExitCode(Console&)> run;
};

}  // namespace firstword::cli
