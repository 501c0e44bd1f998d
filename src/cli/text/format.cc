#include "cli/text/format.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>
#include <span>

namespace firstword::cli {
namespace {

// Above it digits stop telling anything and an exponent is shorter.
constexpr double kSpelledOut = 1e9;
constexpr double kBeyondPrefixes = 1e18;

struct Step {
  double from;
  double divisor;
  std::string_view suffix;
};

// At most `decimals`, without trailing zeros; "-0" is "0".
std::string Trimmed(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

// Three digits that count.
std::string ThreeDigits(double value) {
  const double size = std::abs(value);
  if (size >= kSpelledOut) return fmt::format("{:.3g}", value);
  if (size >= 99.95 || size == 0) return Trimmed(value, 0);
  if (size >= 9.995) return Trimmed(value, 1);
  if (size >= 0.9995) return Trimmed(value, 2);
  if (size >= 0.001) return Trimmed(value, 3 - static_cast<int>(std::floor(std::log10(size))) - 1);
  return fmt::format("{:.2g}", value);
}

std::string Scaled(double value, std::span<const Step> steps, std::string_view unit) {
  if (std::abs(value) >= kBeyondPrefixes) {
    return fmt::format("{:.3g}{}{}", value, unit.empty() ? "" : " ", unit);
  }
  for (const Step& step : steps) {
    if (std::abs(value) >= step.from) {
      return fmt::format("{} {}{}", ThreeDigits(value / step.divisor), step.suffix, unit);
    }
  }
  return fmt::format("{} {}", ThreeDigits(value), unit);
}

// A step starts where three digits of the one below would read 1000.
constexpr std::array<Step, 4> kDecimal = {
    {{999.5e9, 1e12, "T"}, {999.5e6, 1e9, "G"}, {999.5e3, 1e6, "M"}, {999.5, 1e3, "k"}}};
constexpr std::array<Step, 4> kBinary = {{{1099511627776.0, 1099511627776.0, "Ti"},
                                          {1073741824.0, 1073741824.0, "Gi"},
                                          {1048576.0, 1048576.0, "Mi"},
                                          {1024.0, 1024.0, "Ki"}}};

std::string LongSeconds(double value) {
  const auto total = std::llround(value);
  if (total >= 2 * 86'400) return fmt::format("{} d {} h", total / 86'400, total / 3600 % 24);
  if (total >= 7200) return fmt::format("{} h {} min", total / 3600, total / 60 % 60);
  return fmt::format("{} min {} s", total / 60, total % 60);
}

std::string FormatTime(double seconds) {
  using namespace std::chrono;
  if (!(seconds > 0 && seconds < 1e11)) return FormatNumber(seconds);
  const sys_seconds at{std::chrono::seconds(std::llround(seconds))};
  const auto day = floor<days>(at);
  const year_month_day date(day);
  const hh_mm_ss time(at - day);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}Z", int(date.year()),
                     unsigned(date.month()), unsigned(date.day()), time.hours().count(),
                     time.minutes().count(), time.seconds().count());
}

std::string WithNoun(double value, std::string_view noun) {
  std::string_view word = noun;
  if (value == 1 && word.ends_with('s')) word.remove_suffix(1);
  return fmt::format("{} {}", FormatNumber(value), word);
}

// Bounds of buckets in one unit, the upper's, so that "0.75–1 s" reads at a glance.
struct Bounds {
  std::string lower;
  std::string upper;
  std::string_view unit;
};

Bounds BoundsIn(double scale, const signals::Interval& interval, std::string_view unit) {
  return {ThreeDigits(interval.lower * scale), ThreeDigits(interval.upper * scale), unit};
}

Bounds ShortBounds(const signals::Interval& interval, std::string_view unit) {
  const double leading = std::isfinite(interval.upper) ? interval.upper : interval.lower;
  if (unit == "s") {
    if (leading < 1e-3) return BoundsIn(1e6, interval, " µs");
    if (leading < 1) return BoundsIn(1e3, interval, " ms");
    return BoundsIn(1, interval, " s");
  }
  if (unit == "ratio") return BoundsIn(100, interval, " %");
  return {FormatNumber(interval.lower), FormatNumber(interval.upper), ""};
}

}  // namespace

std::string FormatNumber(double value) {
  if (!std::isfinite(value)) return std::isnan(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
  const bool whole = value == std::floor(value);
  if (whole && std::abs(value) < 10'000) return Trimmed(value, 0);
  if (std::abs(value) < 999.5) return ThreeDigits(value);
  return Scaled(value, kDecimal, "");
}

std::string FormatSeconds(double value) {
  if (!std::isfinite(value)) return FormatNumber(value);
  const double size = std::abs(value);
  if (size == 0) return "0 s";
  if (size < 0.9995e-3) return ThreeDigits(value * 1e6) + " µs";
  if (size < 0.9995) return ThreeDigits(value * 1e3) + " ms";
  if (size < 99.995) return Trimmed(value, 2) + " s";
  if (size < 600) return Trimmed(value, 1) + " s";
  if (size >= kSpelledOut) return fmt::format("{:.3g} s", value);
  return (value < 0 ? "-" : "") + LongSeconds(size);
}

std::string FormatRatio(double value) {
  const double percent = value * 100;
  // A little is not nothing, and almost all is not all.
  if (percent > 0 && percent < 0.05) return "<0.1 %";
  if (percent < 100 && percent >= 99.95) return ">99.9 %";
  if (std::abs(percent) >= kSpelledOut) return fmt::format("{:.3g} %", percent);
  return Trimmed(percent, 1) + " %";
}

std::string FormatValue(double value, std::string_view unit) {
  if (!std::isfinite(value)) return FormatNumber(value);
  if (unit == "s") return FormatSeconds(value);
  if (unit == "ratio") return FormatRatio(value);
  if (unit == "bytes") return Scaled(value, kBinary, "B");
  if (unit == "Hz") return Scaled(value, kDecimal, "Hz");
  if (unit == "W") return ThreeDigits(value) + " W";
  if (unit == "J") return Scaled(value, kDecimal, "J");
  if (unit == "celsius") return ThreeDigits(value) + " °C";
  if (unit == "bool") return value == 0 ? "no" : "yes";
  if (unit == "time") return FormatTime(value);
  if (unit == "code")
    return std::abs(value) < kSpelledOut * 10 ? Trimmed(value, 0) : FormatNumber(value);
  if (unit == "count") return FormatNumber(value);
  return WithNoun(value, unit);
}

std::string FormatBrief(double value) {
  if (!(std::abs(value) < 99.95)) return FormatNumber(value);
  if (value > 0 && value < 0.05) return "<0.1";
  return Trimmed(value, 1);
}

std::string FormatInterval(const signals::Interval& interval, std::string_view unit) {
  const auto bound = [unit](double value) {
    return unit == "s" || unit == "ratio" ? FormatValue(value, unit) : FormatNumber(value);
  };
  if (!std::isfinite(interval.upper)) return "at least " + bound(interval.lower);
  if (interval.lower == interval.upper) return bound(interval.upper);
  if (!(interval.lower > 0)) return "at most " + bound(interval.upper);
  return bound(interval.lower) + " .. " + bound(interval.upper);
}

std::string FormatIntervalShort(const signals::Interval& interval, std::string_view unit) {
  const Bounds bounds = ShortBounds(interval, unit);
  if (!std::isfinite(interval.upper)) return fmt::format(">{}{}", bounds.lower, bounds.unit);
  if (interval.lower == interval.upper) return fmt::format("{}{}", bounds.upper, bounds.unit);
  if (!(interval.lower > 0)) return fmt::format("≤{}{}", bounds.upper, bounds.unit);
  return fmt::format("{}–{}{}", bounds.lower, bounds.upper, bounds.unit);
}

std::string FormatOptional(const std::optional<double>& value, std::string_view unit) {
  return value ? FormatValue(*value, unit) : std::string(kAbsent);
}

}  // namespace firstword::cli
