#include "exposition/number.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

namespace firstword::exposition {
namespace {

TEST(ParseNumberTest, Accepts) {
  auto f = [](std::string_view text, double want) {
    double got = -42;
    ASSERT_TRUE(ParseNumber(text, &got)) << text;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(got), std::bit_cast<std::uint64_t>(want)) << text;
  };
  const double inf = std::numeric_limits<double>::infinity();
  f("0", 0);
  f("-0", -0.0);
  f("1", 1);
  f("+1.5", 1.5);
  f(".5", 0.5);
  f("5.", 5);
  f("1e3", 1000);
  f("1E-3", 0.001);
  f("1.7539e+09", 1.7539e9);
  f("9223372036854775794", 9223372036854775794.0);
  f("0.1", 0.1);
  f("123456789012345", 123456789012345.0);
  f("Inf", inf);
  f("+inf", inf);
  f("-Infinity", -inf);
  f("1e999", inf);
  f("1e-999", 0);
  f("-1e999", -inf);
  f("-1e-999", -0.0);
  f("1e99999999999999999999", inf);
  f("1e-99999999999999999999", 0);
  f("0e99999999999999999999", 0);
  f("1e9223372036854775807", inf);
  f("1e-9223372036854775808", 0);
  f("2e308", inf);
  f("4.9e-324", 4.9e-324);
  f("1e-330", 0);
  f("1" + std::string(400, '0'), inf);
  f("01" + std::string(400, '0'), inf);
  f("1" + std::string(400, '0') + "e-399", 10);
  f("1" + std::string(800, '0') + "e-10", inf);
  f("0." + std::string(400, '0') + "1", 0);
  f("." + std::string(400, '0') + "1e401", 1);
  f("." + std::string(400, '0') + "1e900", inf);
  const double nan = std::bit_cast<double>(std::uint64_t{0x7ff8000000000001});
  f("NaN", nan);
  f("-nan", nan);
}

TEST(ParseNumberTest, Rejects) {
  for (const std::string_view text :
       {"",       "infinit", "nan1", "inf.",  "1e+",  "1e5.", "+-1",   "+",  "-",   ".", "1_0",
        "0x1p-3", "1e",      "e5",   "1.2.3", "true", "nano", "infin", "1 ", "--1", "1-"}) {
    double got = 0;
    EXPECT_FALSE(ParseNumber(text, &got)) << text;
  }
}

TEST(ParseNumberTest, RoundsAsStrtodDoes) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200'000; ++i) {
    std::string text = std::to_string(random() % 1'000'000'000'000'000u);
    const std::size_t digits = random() % 17;
    if (digits < text.size()) text.insert(text.size() - digits, ".");
    double got = 0;
    ASSERT_TRUE(ParseNumber(text, &got)) << text;
    ASSERT_EQ(got, std::strtod(text.c_str(), nullptr)) << text;
  }
}

TEST(ParseTimestampTest, Accepts) {
  auto f = [](std::string_view text, Format format, std::int64_t want) {
    std::int64_t got = -42;
    ASSERT_TRUE(ParseTimestamp(text, format, &got)) << text;
    EXPECT_EQ(got, want) << text;
  };
  f("1700000000123", Format::kText, 1'700'000'000'123);
  f("-5", Format::kText, -5);
  f("+5", Format::kText, 5);
  f("1700000000", Format::kOpenMetrics, 1'700'000'000'000);
  f("1700000000.1239", Format::kOpenMetrics, 1'700'000'000'123);
  f("-1.5", Format::kOpenMetrics, -1500);
  f("1.7e9", Format::kOpenMetrics, 1'700'000'000'000);
}

TEST(ParseTimestampTest, Rejects) {
  auto f = [](std::string_view text, Format format) {
    std::int64_t got = 0;
    EXPECT_FALSE(ParseTimestamp(text, format, &got)) << text;
  };
  f("", Format::kText);
  f("+", Format::kText);
  f("1.5", Format::kText);
  f("1e3", Format::kText);
  f("+-5", Format::kText);
  f("9223372036854775808", Format::kText);
  f("-9223372036854775808", Format::kText);  // means "no timestamp" on a page
  f("", Format::kOpenMetrics);
  f("NaN", Format::kOpenMetrics);
  f("Inf", Format::kOpenMetrics);
  f("1e300", Format::kOpenMetrics);
}

}  // namespace
}  // namespace firstword::exposition
