#pragma once

#include <cstdint>
#include <string_view>

#include "exposition/page.h"

namespace firstword::exposition {

// Reads all of `token` as a sample value. Accepts what Go's ParseFloat does without
// hexadecimal and '_': decimals, exponents, inf, infinity and nan in any case; and, more
// than Go, a nan with a sign. Every NaN becomes the ordinary quiet one. Past the range of
// double the value is infinite or 0. Returns false when the token is not a number.
[[nodiscard]] bool ParseNumber(std::string_view token, double* value);

// Reads all of `token` as a sample's time in milliseconds since 1970: integer milliseconds
// in the text format, decimal seconds in OpenMetrics, cut to milliseconds.
[[nodiscard]] bool ParseTimestamp(std::string_view token, Format format, std::int64_t* ms);

}  // namespace firstword::exposition
