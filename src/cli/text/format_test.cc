#include "cli/text/format.h"

#include <gtest/gtest.h>

#include <limits>

namespace firstword::cli {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(FormatTest, Values) {
  auto f = [](double value, std::string_view unit, std::string_view want) {
    EXPECT_EQ(FormatValue(value, unit), want) << value << " " << unit;
  };
  f(22.3712, "s", "22.37 s");
  f(6.2, "s", "6.2 s");
  f(5, "s", "5 s");
  f(0, "s", "0 s");
  f(0.026, "s", "26 ms");
  f(0.0265, "s", "26.5 ms");
  f(0.9996, "s", "1 s");
  f(0.00085, "s", "850 µs");
  f(-0.3, "s", "-300 ms");
  f(123.44, "s", "123.4 s");
  f(725, "s", "12 min 5 s");
  f(11100, "s", "3 h 5 min");
  f(190'000, "s", "2 d 4 h");
  f(0.496, "ratio", "49.6 %");
  f(0, "ratio", "0 %");
  f(1, "ratio", "100 %");
  f(0.0001, "ratio", "<0.1 %");
  f(0.9999, "ratio", ">99.9 %");
  f(1'234'567, "tokens", "1.23 M tokens");
  f(999'600, "tokens", "1 M tokens");
  f(32'144, "tokens", "32.1 k tokens");
  f(2879, "tokens", "2879 tokens");
  f(1, "requests", "1 request");
  f(22, "requests", "22 requests");
  f(8.5e10, "bytes", "79.2 GiB");
  f(512, "bytes", "512 B");
  f(1.98e9, "Hz", "1.98 GHz");
  f(312.4, "W", "312 W");
  f(45, "celsius", "45 °C");
  f(1, "bool", "yes");
  f(0, "bool", "no");
  f(79, "code", "79");
  f(1790824200.44, "time", "2026-10-01 03:10:00Z");
  f(kInf, "requests", "+Inf");
  // A number that nobody can have counted must not fill the screen with digits.
  f(1e308, "requests", "1e+308 requests");
  f(1e308, "s", "1e+308 s");
  f(1e300, "ratio", "1e+302 %");
  f(1e300, "bytes", "1e+300 B");
  f(1e300, "W", "1e+300 W");
  f(1e300, "code", "1e+300");
}

TEST(FormatTest, Numbers) {
  auto f = [](double value, std::string_view want) { EXPECT_EQ(FormatNumber(value), want); };
  f(0, "0");
  f(15, "15");
  f(9999, "9999");
  f(10'000, "10 k");
  f(0.4321, "0.432");
  f(12.345, "12.3");
  f(1234.5, "1.23 k");
  f(0.0001, "0.0001");
  f(2.5e9, "2.5 G");
  f(std::numeric_limits<double>::quiet_NaN(), "NaN");
}

TEST(FormatTest, BriefNumbers) {
  auto f = [](double value, std::string_view want) { EXPECT_EQ(FormatBrief(value), want); };
  f(0, "0");
  f(0.769, "0.8");
  f(0.01, "<0.1");
  f(7.25, "7.2");
  f(64, "64");
  f(1234.5, "1.23 k");
}

TEST(FormatTest, IntervalsAreNeverPoints) {
  auto f = [](signals::Interval interval, std::string_view unit, std::string_view want,
              std::string_view want_short) {
    EXPECT_EQ(FormatInterval(interval, unit), want);
    EXPECT_EQ(FormatIntervalShort(interval, unit), want_short);
  };
  f({5, 10}, "s", "5 s .. 10 s", "5–10 s");
  f({10, kInf}, "s", "at least 10 s", ">10 s");
  f({0, 0.005}, "s", "at most 5 ms", "≤5 ms");
  f({0.75, 1}, "s", "750 ms .. 1 s", "0.75–1 s");
  f({0.05, 0.075}, "s", "50 ms .. 75 ms", "50–75 ms");
  f({0.0005, kInf}, "s", "at least 500 µs", ">500 µs");
  f({1000, 2000}, "tokens", "1000 .. 2000", "1000–2000");
  f({2, 2}, "s", "2 s", "2 s");
}

TEST(FormatTest, AbsentIsNoZero) {
  EXPECT_EQ(FormatOptional(std::nullopt, "s"), "–");
  EXPECT_EQ(FormatOptional(0.0, "s"), "0 s");
}

}  // namespace
}  // namespace firstword::cli
