#pragma once

#include <cstddef>
#include <string>

#include "cli/inspect/inspection.h"
#include "cli/text/paint.h"

namespace firstword::cli {

struct InspectTextOptions {
  std::size_t width = 100;
  bool unicode = true;
  bool why = false;  // all evidence for the engine and its version
};

// The page for a reader, from the answer to the details.
[[nodiscard]] std::string InspectText(const Inspection& inspection, const Paint& paint,
                                      const InspectTextOptions& options);

// One line a fault, "FILE:LINE:COLUMN: text", as compilers write them.
[[nodiscard]] std::string FaultLines(const Inspection& inspection);

}  // namespace firstword::cli
