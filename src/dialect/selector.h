#pragma once

#include <string_view>

#include "base/result.h"
#include "dialect/dialect.h"

namespace firstword::dialect {

// Reads a dialect file's selector. Fails with kParse; the message carries the
// byte column inside the text.
[[nodiscard]] Result<Selector> ParseDialectSelector(std::string_view text);

}  // namespace firstword::dialect
