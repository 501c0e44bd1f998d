#pragma once

#include <string>

#include "dialect/registry.h"

namespace firstword::dialect {

// docs/signals.md: every canonical signal and, dialect by dialect, where it comes
// from. Generated so that the page and the program cannot disagree; a test compares.
[[nodiscard]] std::string SignalsMarkdown(const Registry& registry);

}  // namespace firstword::dialect
