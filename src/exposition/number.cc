#include "exposition/number.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <system_error>

namespace firstword::exposition {
namespace {

constexpr double kQuietNan = std::bit_cast<double>(std::uint64_t{0x7ff8000000000001});

// In milliseconds, still well inside 64 bits.
constexpr double kMaxSeconds = 9e15;

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

// Whether an unsigned decimal that double cannot hold is too large (else it is too small):
// the power of ten of its first digit that is not 0 tells.
bool IsTooLarge(std::string_view decimal) {
  const std::size_t exponent_at = decimal.find_first_of("eE");
  const std::string_view digits = decimal.substr(0, exponent_at);
  const auto first = static_cast<std::int64_t>(digits.find_first_not_of("0."));
  const auto point = static_cast<std::int64_t>(std::min(digits.find('.'), digits.size()));
  std::int64_t exponent = 0;
  if (exponent_at != std::string_view::npos) {
    std::string_view text = decimal.substr(exponent_at + 1);
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
    if (error == std::errc::result_out_of_range) return !text.starts_with('-');
  }
  constexpr std::int64_t kPastAnyText = std::int64_t{1} << 60;
  return point - first + std::clamp(exponent, -kPastAnyText, kPastAnyText) > 0;
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
    result = IsTooLarge({digits, end}) ? std::numeric_limits<double>::infinity() : 0.0;
  } else if (error != std::errc{}) {
    return false;
  }
  *value = negative ? -result : result;
  return true;
}

bool ParseTimestamp(std::string_view token, Format format, std::int64_t* ms) {
  if (format == Format::kText) {
    if (token.starts_with('+') && !token.starts_with("+-")) token.remove_prefix(1);
    const auto [stop, error] = std::from_chars(token.data(), token.data() + token.size(), *ms);
    return error == std::errc{} && stop == token.data() + token.size() && *ms != Page::kNoTimestamp;
  }
  double seconds = 0;
  if (!ParseNumber(token, &seconds) || !(std::fabs(seconds) < kMaxSeconds)) return false;
  *ms = static_cast<std::int64_t>(seconds * 1000);
  return true;
}

}  // namespace firstword::exposition
