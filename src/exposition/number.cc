#include "exposition/number.h"

#include <bit>
#include <charconv>
#include <cstdint>
#include <limits>

namespace firstword::exposition {
namespace {

constexpr double kQuietNan = std::bit_cast<double>(std::uint64_t{0x7ff8000000000001});

// Powers of ten that a double holds exactly.
constexpr double kExactPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

bool EqualsLower(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((text[i] | 0x20) != lower[i]) return false;
  }
  return true;
}

bool ParseSpecial(std::string_view token, bool negative, double* value) {
  if (EqualsLower(token, "nan")) {
    *value = kQuietNan;
  } else if (EqualsLower(token, "inf") || EqualsLower(token, "infinity")) {
    *value = negative ? -std::numeric_limits<double>::infinity()
                      : std::numeric_limits<double>::infinity();
  } else {
    return false;
  }
  return true;
}

}  // namespace

bool ParseNumber(std::string_view token, double* value) {
  const char* at = token.data();
  const char* const end = at + token.size();
  bool negative = false;
  if (at != end && (*at == '-' || *at == '+')) negative = *at++ == '-';
  if (at == end) return false;

  // Up to 15 digits fit a double exactly, and so does their quotient by an exact
  // power of ten: one correctly rounded division is the nearest double (Clinger).
  const char* const digits = at;
  std::uint64_t mantissa = 0;
  while (at != end && static_cast<unsigned>(*at - '0') < 10) {
    mantissa = mantissa * 10 + static_cast<unsigned>(*at++ - '0');
  }
  auto digit_count = at - digits;
  std::ptrdiff_t decimals = 0;
  if (at != end && *at == '.') {
    const char* const fraction = ++at;
    while (at != end && static_cast<unsigned>(*at - '0') < 10) {
      mantissa = mantissa * 10 + static_cast<unsigned>(*at++ - '0');
    }
    decimals = at - fraction;
    digit_count += decimals;
  }
  if (at == end && digit_count > 0 && digit_count <= 15) {
    double result = static_cast<double>(mantissa);
    if (decimals > 0) result /= kExactPowers[decimals];
    *value = negative ? -result : result;
    return true;
  }
  if (digit_count == 0) return ParseSpecial({digits, end}, negative, value);

  double result = 0;
  const auto [stop, error] = std::from_chars(digits, end, result);
  if (stop != end) return false;
  if (error == std::errc::result_out_of_range) {
    // from_chars leaves the value alone; too small rounds to 0, too large to infinity.
    const std::string_view text(digits, end);
    const auto exponent = text.find_first_of("eE");
    const bool tiny = exponent != std::string_view::npos
                          ? text.find('-', exponent) != std::string_view::npos
                          : digits[0] == '0';
    result = tiny ? 0.0 : std::numeric_limits<double>::infinity();
  } else if (error != std::errc{}) {
    return false;
  }
  *value = negative ? -result : result;
  return true;
}

}  // namespace firstword::exposition
