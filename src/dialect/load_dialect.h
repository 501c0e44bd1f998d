#pragma once

#include <string_view>

#include "base/result.h"
#include "dialect/catalog.h"
#include "dialect/dialect.h"

namespace firstword::dialect {

// Reads and checks one dialect file; the result points into `catalog`. Fails with
// kParse at the first fault, as "file:line:column: what is wrong".
[[nodiscard]] Result<Dialect> LoadDialect(std::string_view yaml, std::string_view file_name,
                                          const Catalog& catalog);

}  // namespace firstword::dialect
