#include "cli/text/bars.h"

#include <algorithm>
#include <cmath>

#include "cli/text/text.h"

namespace firstword::cli {

std::string Bar(double share, std::size_t width, bool unicode) {
  if (!(share > 0) || width == 0) return {};
  const double columns = std::min(share, 1.0) * static_cast<double>(width);
  if (!unicode) {
    return std::string(static_cast<std::size_t>(std::max(1.0, std::round(columns))), '#');
  }
  const auto eighths = std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(columns * 8)));
  std::string out;
  for (std::size_t i = 0; i < eighths / 8; ++i) AppendUtf8(out, U'█');
  // U+258F is one eighth, U+2589 seven.
  if (eighths % 8 != 0) AppendUtf8(out, static_cast<char32_t>(0x2590 - eighths % 8));
  return out;
}

std::string Sparkline(std::span<const double> values, std::size_t width, double top, bool unicode) {
  static constexpr char kAscii[] = "_.-=+*%#";
  const std::span<const double> shown = values.size() > width ? values.last(width) : values;
  for (const double value : shown) top = std::isfinite(value) ? std::max(top, value) : top;
  std::string out;
  for (const double value : shown) {
    if (!std::isfinite(value)) {
      out += ' ';
      continue;
    }
    const double share = top > 0 ? std::max(value, 0.0) / top : 0;
    // Zero sits on the lowest step; anything above it is at least one step higher.
    const auto step = static_cast<std::size_t>(std::ceil(share * 7));
    if (unicode) {
      AppendUtf8(out, static_cast<char32_t>(0x2581 + step));
    } else {
      out += kAscii[step];
    }
  }
  return out;
}

}  // namespace firstword::cli
