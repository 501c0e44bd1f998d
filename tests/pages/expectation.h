#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/registry.h"
#include "signals/report.h"

namespace firstword::pages {

// Reads the page at `path` as `inspect` does, and reports on it.
[[nodiscard]] Result<signals::TargetReport> ReportOn(const std::filesystem::path& page,
                                                     const dialect::Registry& registry);

// Compares a report with the lines of an .expect file (README.md says how they are
// written). Returns one sentence a line that does not hold.
[[nodiscard]] std::vector<std::string> Mismatches(std::string_view expectations,
                                                  const signals::TargetReport& report);

}  // namespace firstword::pages
