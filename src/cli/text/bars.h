#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace firstword::cli {

// A horizontal bar of `share` (0..1) of `width` columns, in eighths of a column where
// Unicode is allowed. A share above zero always shows.
[[nodiscard]] std::string Bar(double share, std::size_t width, bool unicode);

// The newest `width` values as a curve of one line, scaled from 0 to `top` (at least the
// greatest of them). NaN leaves a gap.
[[nodiscard]] std::string Sparkline(std::span<const double> values, std::size_t width, double top,
                                    bool unicode);

}  // namespace firstword::cli
