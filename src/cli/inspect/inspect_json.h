#pragma once

#include <string>

#include "cli/inspect/inspection.h"

namespace firstword::cli {

// The page as one JSON object with a newline at its end; docs/inspect.md is the schema.
[[nodiscard]] std::string InspectJson(const Inspection& inspection);

}  // namespace firstword::cli
