#pragma once

#include <span>
#include <string>
#include <vector>

#include "dialect/dialect.h"
#include "dialect/raw_pages.h"

namespace firstword::dialect {

// For each row of a page: does something hold there?
using RowMask = std::vector<bool>;

// The rows in which a series that matches the selector has a sample.
[[nodiscard]] RowMask RowsWith(const Selector& selector, std::span<const std::string> prefixes,
                               const RawPage& page);

// The rows in which none of the dialect's `detect_unless` is on the page.
[[nodiscard]] RowMask RowsAllowedBy(const Dialect& dialect, const RawPage& page);

}  // namespace firstword::dialect
