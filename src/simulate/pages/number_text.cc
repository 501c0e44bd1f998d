#include "simulate/pages/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace firstword::simulate {
namespace {

using dialect::Writer;

// Whole numbers below this are exact and printed without an exponent where a writer has none.
constexpr double kMaxWhole = 1e15;
constexpr int kMostDigits = 16;

template <typename... Options>
void AppendChars(std::string& out, Options... options) {
  std::array<char, 400> buffer;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), options...);
  out.append(buffer.data(), end);
}

bool IsWhole(double value) { return std::abs(value) < kMaxWhole && value == std::trunc(value); }

void AppendWhole(double value, std::string& out) {
  AppendChars(out, static_cast<std::int64_t>(value));
}

// The shortest digits that give the value back, and the power of ten of the first.
struct Decimal {
  std::array<char, 32> text;
  std::string_view digits;
  int exponent = 0;
};

void Split(double value, Decimal& decimal) {
  std::array<char, 40> buffer;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                          std::chars_format::scientific);
  char* digit = decimal.text.data();
  const char* at = buffer.data();
  for (; *at != 'e'; ++at) {
    if (*at != '.') *digit++ = *at;
  }
  decimal.digits = {decimal.text.data(), digit};
  at += at[1] == '+' ? 2 : 1;
  std::from_chars(at, end, decimal.exponent);
}

// 1.5e+06: two digits of exponent at least.
void AppendScientific(const Decimal& decimal, std::string& out) {
  out += decimal.digits.front();
  if (decimal.digits.size() > 1) {
    out += '.';
    out += decimal.digits.substr(1);
  }
  out += decimal.exponent < 0 ? "e-" : "e+";
  const int size = std::abs(decimal.exponent);
  if (size < 10) out += '0';
  AppendChars(out, size);
}

void AppendPlainDecimal(const Decimal& decimal, std::string& out) {
  const int exponent = decimal.exponent;
  const std::string_view digits = decimal.digits;
  if (exponent < 0) {
    out += "0.";
    out.append(static_cast<std::size_t>(-exponent - 1), '0');
    out += digits;
    return;
  }
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  out += digits.substr(0, std::min(whole, digits.size()));
  if (digits.size() <= whole) {
    out.append(whole - digits.size(), '0');
  } else {
    out += '.';
    out += digits.substr(whole);
  }
}

// strconv.FormatFloat(v, 'g', -1, 64) of Go: an exponent from 1e6 on and below 1e-4.
// prometheus_client of Python imitates it from repr(), which keeps ".0", and only for
// positive numbers.
void AppendShortest(double value, bool python, std::string& out) {
  if (IsWhole(value) && std::abs(value) < 1e6) {
    if (value == 0 && std::signbit(value)) out += '-';
    AppendWhole(value, out);
    if (python) out += ".0";
    return;
  }
  Decimal decimal;
  if (value < 0) out += '-';
  Split(std::abs(value), decimal);
  const int first_long = python && value < 0 ? kMostDigits : 6;
  if (decimal.exponent < -4 || decimal.exponent >= first_long) {
    AppendScientific(decimal, out);
    return;
  }
  AppendPlainDecimal(decimal, out);
  if (python && IsWhole(value)) out += ".0";
}

// Streams of C++: `precision` digits, an exponent past them.
void AppendStream(double value, int precision, std::string& out) {
  AppendChars(out, value, std::chars_format::general, precision);
}

// Display of Rust has no exponent; the ends of the range are nobody's metric.
void AppendRust(double value, std::string& out) {
  if (IsWhole(value)) return AppendWhole(value, out);
  Decimal decimal;
  Split(std::abs(value), decimal);
  if (value < 0) out += '-';
  if (std::abs(decimal.exponent) < kMostDigits) return AppendPlainDecimal(decimal, out);
  AppendScientific(decimal, out);
}

void AppendNotFinite(Writer writer, double value, std::string& out) {
  if (std::isnan(value)) {
    out += writer == Writer::kCpp ? "Nan" : "NaN";
  } else {
    out += value > 0 ? "+Inf" : "-Inf";
  }
}

}  // namespace

void AppendNumber(Writer writer, double value, std::string& out) {
  if (!std::isfinite(value)) return AppendNotFinite(writer, value, out);
  switch (writer) {
    case Writer::kPython:
    case Writer::kPythonMultiprocess:
      return AppendShortest(value, true, out);
    case Writer::kGo:
      return AppendShortest(value, false, out);
    case Writer::kCpp:
      return AppendStream(value, 16, out);
    case Writer::kPlain:
      if (IsWhole(value)) return AppendWhole(value, out);
      return AppendStream(value, 6, out);
    case Writer::kOpenMetrics:
      return AppendRust(value, out);
  }
}

void AppendBound(Writer writer, double bound, std::string& out) {
  AppendNumber(writer, bound, out);
  // A canonical bound of OpenMetrics is a float.
  if (writer == Writer::kOpenMetrics && IsWhole(bound)) out += ".0";
}

}  // namespace firstword::simulate
