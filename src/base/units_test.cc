#include "base/units.h"

#include <gtest/gtest.h>

namespace firstword {
namespace {

using namespace std::chrono_literals;

TEST(ParseDurationTest, Accepts) {
  auto f = [](std::string_view in, std::chrono::milliseconds want) {
    const auto got = ParseDuration(in);
    ASSERT_TRUE(got) << in;
    EXPECT_EQ(*got, want) << in;
  };
  f("500ms", 500ms);
  f("2s", 2s);
  f("1.5s", 1500ms);
  f("5m", 5min);
  f("5min", 5min);
  f("1h30m", 90min);
  f("1m30s", 90s);
  f("1d", 24h);
  f("0", 0ms);
  f("30", 30s);
  f(".5", 500ms);
}

TEST(ParseDurationTest, RefusesWithAnExample) {
  for (const std::string_view in :
       {"", "s", "5x", "-1s", "1s 2s", "1e3", "5m30", "inf", "nan", "+2s", "99999999999d"}) {
    const auto got = ParseDuration(in);
    ASSERT_FALSE(got) << in;
    EXPECT_EQ(got.error().ToString(),
              "\"" + std::string(in) + "\" is not a duration (write 500ms, 2s or 1m30s)");
  }
}

TEST(ParseByteSizeTest, Accepts) {
  auto f = [](std::string_view in, std::size_t want) {
    const auto got = ParseByteSize(in);
    ASSERT_TRUE(got) << in;
    EXPECT_EQ(*got, want) << in;
  };
  f("1024", 1024);
  f("1B", 1);
  f("512k", 524'288);
  f("64MiB", 67'108'864);
  f("10MB", 10'000'000);
  f("1.5GiB", 1'610'612'736);
}

TEST(ParseByteSizeTest, RefusesWithAnExample) {
  for (const std::string_view in : {"", "MiB", "-1", "0", "5 MiB", "64Mib", "1e30"}) {
    const auto got = ParseByteSize(in);
    ASSERT_FALSE(got) << in;
    EXPECT_EQ(got.error().ToString(),
              "\"" + std::string(in) + "\" is not a size (write 64MiB, 10MB or a number of bytes)");
  }
}

}  // namespace
}  // namespace firstword
