#include "base/units.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <string>

namespace firstword {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

// Takes a number without sign from the front of `text`.
std::optional<double> TakeNumber(std::string_view& text) {
  if (text.empty() || !((text[0] >= '0' && text[0] <= '9') || text[0] == '.')) return std::nullopt;
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

// Takes the letters that follow and looks them up.
std::optional<double> TakeUnit(std::string_view& text, std::span<const Unit> units) {
  const std::size_t length = std::min(text.find_first_of("0123456789."), text.size());
  for (const Unit& unit : units) {
    if (unit.name != text.substr(0, length)) continue;
    text.remove_prefix(length);
    return unit.factor;
  }
  return std::nullopt;
}

std::unexpected<Error> BadDuration(std::string_view text) {
  return Fail(ErrorCode::kInvalid, "\"" + std::string(text) + "\" is not a duration",
              "write 500ms, 2s or 1m30s");
}

std::unexpected<Error> BadSize(std::string_view text) {
  return Fail(ErrorCode::kInvalid, "\"" + std::string(text) + "\" is not a size",
              "write 64MiB, 10MB or a number of bytes");
}

}  // namespace

Result<std::chrono::milliseconds> ParseDuration(std::string_view text) {
  static constexpr Unit kUnits[] = {{"ms", 1},       {"s", 1000},      {"m", 60'000},
                                    {"min", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}};
  std::string_view rest = text;
  double total = 0;
  bool first = true;
  while (first || !rest.empty()) {
    const std::optional<double> number = TakeNumber(rest);
    if (!number) return BadDuration(text);
    const bool bare = first && rest.empty();
    const std::optional<double> factor = bare ? 1000 : TakeUnit(rest, kUnits);
    if (!factor) return BadDuration(text);
    total += *number * *factor;
    first = false;
  }
  constexpr double kCentury = 100.0 * 365 * 86'400'000;
  if (total > kCentury) return BadDuration(text);
  if (total > 0 && total < 0.5) {
    return Fail(ErrorCode::kInvalid, "\"" + std::string(text) + "\" is less than 1ms");
  }
  return std::chrono::milliseconds(std::llround(total));
}

Result<std::size_t> ParseByteSize(std::string_view text) {
  static constexpr Unit kUnits[] = {{"", 1},           {"B", 1},    {"k", 1u << 10},
                                    {"KiB", 1u << 10}, {"kB", 1e3}, {"M", 1u << 20},
                                    {"MiB", 1u << 20}, {"MB", 1e6}, {"G", 1u << 30},
                                    {"GiB", 1u << 30}, {"GB", 1e9}};
  std::string_view rest = text;
  const std::optional<double> number = TakeNumber(rest);
  if (!number) return BadSize(text);
  const std::optional<double> factor = TakeUnit(rest, kUnits);
  if (!factor || !rest.empty()) return BadSize(text);
  const double bytes = *number * *factor;
  if (bytes < 1 || bytes > 1e15) return BadSize(text);
  return static_cast<std::size_t>(bytes);
}

}  // namespace firstword
