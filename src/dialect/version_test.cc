#include "dialect/version.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace firstword::dialect {
namespace {

TEST(VersionTest, ParsesAndPrints) {
  auto f = [](std::string_view text, bool good) {
    const std::optional<Version> version = Version::Parse(text);
    EXPECT_EQ(version.has_value(), good) << text;
    if (version) {
      EXPECT_EQ(version->ToString(), text);
    }
  };
  for (const std::string_view good : {"0", "0.9.2", "0.4.3.post3", "25.03", "0.20.2rc1", "1.0-rc2",
                                      "0.11.1rc3.dev1", "v0.6.3", "b4687", "0.9.0+cu126"}) {
    f(good, good != "0.11.1rc3.dev1");
  }
  for (const std::string_view bad : {"", "v", "latest", "1.", ".1", "1..2", "1.x", "-1", "1.2 ",
                                     "99999999999", "1.2rc99999999999", "1.2rcx"}) {
    f(bad, false);
  }
}

TEST(VersionTest, OrdersReleases) {
  const std::vector<std::string> ascending = {
      "0.4.3",     "0.4.3.post1", "0.4.3.post3",  "0.9.2",  "0.11.0.dev1", "0.11.0rc1",
      "0.11.0rc2", "0.11.0",      "0.11.0.post1", "0.20.2", "25.03",       "b4687"};
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    for (std::size_t j = 0; j < ascending.size(); ++j) {
      EXPECT_EQ(*Version::Parse(ascending[i]) < *Version::Parse(ascending[j]), i < j)
          << ascending[i] << " " << ascending[j];
    }
  }
  EXPECT_EQ(*Version::Parse("1.0"), *Version::Parse("1"));
  EXPECT_EQ(*Version::Parse("25.03"), *Version::Parse("25.3"));
}

VersionRange Range(std::string_view min, std::string_view max) {
  return {.min = Version::Parse(min), .max = Version::Parse(max)};
}

TEST(VersionRangeTest, OverlapsAndPrints) {
  auto f = [](const VersionRange& a, const VersionRange& b, bool want) {
    EXPECT_EQ(a.Overlaps(b), want) << a.ToString() << " / " << b.ToString();
    EXPECT_EQ(b.Overlaps(a), want);
  };
  f({}, {}, true);
  f(Range("1", ""), {}, true);
  f(Range("1", ""), Range("", "1.0"), true);
  f(Range("1.1", ""), Range("", "1.0"), false);
  f(Range("1", "2"), Range("2", "3"), true);
  f(Range("1", "2"), Range("2.0.1", "3"), false);
  EXPECT_EQ(Range("0.9.2", "0.11.0").ToString(), "0.9.2 to 0.11.0");
  EXPECT_EQ(Range("2", "2.0").ToString(), "2");
  EXPECT_EQ(Range("0.30.0", "").ToString(), "0.30.0 or later");
  EXPECT_EQ(Range("", "0.8.5").ToString(), "up to 0.8.5");
  EXPECT_EQ(VersionRange{}.ToString(), "unknown");
}

}  // namespace
}  // namespace firstword::dialect
