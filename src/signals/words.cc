#include "signals/words.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

namespace firstword::signals {

std::string Seconds(double seconds) {
  const double size = std::abs(seconds);
  if (size >= 7200) return fmt::format("{:.3g} h", seconds / 3600);
  if (size >= 120) return fmt::format("{:.3g} min", seconds / 60);
  if (size >= 1 || size == 0) return fmt::format("{:.3g} s", seconds);
  return fmt::format("{:.3g} ms", seconds * 1000);
}

std::string Percent(double ratio) {
  const double percent = ratio * 100;
  return std::abs(percent) >= 10 ? fmt::format("{:.0f} %", percent)
                                 : fmt::format("{:.2g} %", percent);
}

std::string Number(double value) {
  if (std::abs(value) < 1e9 && value == std::round(value)) return fmt::format("{:.0f}", value);
  return fmt::format("{:.3g}", value);
}

std::string Count(double n, std::string_view noun) {
  return fmt::format("{} {}{}", Number(n), noun, n == 1 ? "" : "s");
}

std::string Range(const Interval& seconds) {
  if (std::isinf(seconds.upper)) return "at least " + Seconds(seconds.lower);
  if (seconds.lower <= 0) return "at most " + Seconds(seconds.upper);
  return "between " + Seconds(seconds.lower) + " and " + Seconds(seconds.upper);
}

std::string NameOf(const promql::Labels& target) {
  const std::string_view instance = target.Get("instance");
  return instance.empty() ? target.ToString() : std::string(instance);
}

std::string Moment(TimestampMs time) {
  using namespace std::chrono;
  const sys_seconds moment(floor<seconds>(milliseconds(time)));
  const sys_days day = floor<days>(moment);
  const year_month_day date(day);
  const hh_mm_ss clock(moment - day);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

}  // namespace firstword::signals
