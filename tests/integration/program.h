#pragma once

#include <string>
#include <vector>

#include "support/child.h"

namespace firstword {

// The real program, to its end.
[[nodiscard]] support::Finished Inspect(std::vector<std::string> arguments);
[[nodiscard]] support::Finished Watch(std::vector<std::string> arguments);

// A page under tests/pages: where it is, and its text.
[[nodiscard]] std::string PagePath(const std::string& name);
[[nodiscard]] std::string ReadPage(const std::string& name);

}  // namespace firstword
