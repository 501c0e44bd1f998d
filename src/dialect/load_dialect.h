#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "dialect/catalog.h"
#include "dialect/dialect.h"

namespace firstword::dialect {

// Reads and checks one dialect file; the result points into `catalog`. Fails with
// kParse at the first fault, as "file:line:column: what is wrong".
[[nodiscard]] Result<Dialect> LoadDialect(std::string_view yaml, std::string_view file_name,
                                          const Catalog& catalog);

// One dialect file in two: its section `exports`, which has readers and a size of its own, and
// the rest. Each keeps the lines where they were; `exports` keeps `dialect` and `kind` too, and
// is empty where there is no such section.
struct DialectSections {
  std::string rest;
  std::string exports;
};
[[nodiscard]] DialectSections SplitSections(std::string_view yaml);

}  // namespace firstword::dialect
