#pragma once

#include <cstddef>
#include <string_view>

namespace firstword::exposition {

// Reads the sample value that starts at `text` and ends before the first blank or
// line end. Accepts what Go's ParseFloat does without hexadecimal and '_': decimals,
// exponents, inf, infinity and nan in any case and with any sign. Every NaN becomes
// the ordinary quiet one. Returns false when the token is not a number.
[[nodiscard]] bool ParseNumber(std::string_view token, double* value);

}  // namespace firstword::exposition
