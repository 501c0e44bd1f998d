#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dialect/dialect.h"
#include "dialect/page_index.h"

namespace firstword::dialect {

// What the series of one page say together about the version.
struct VersionEvidence {
  VersionRange versions;
  std::vector<std::string> sentences;  // only those that decide
};

// Weighs the dialect's hints and the since/until of every source that is on the
// page. New names prove a build; old ones may merely linger, so where the two
// contradict each other the lower bound stands and a sentence says so.
[[nodiscard]] VersionEvidence WeighVersions(const Dialect& dialect, const PageIndex& page);

}  // namespace firstword::dialect
