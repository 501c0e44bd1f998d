// Pages made to be slow: each would take minutes if some step were not linear. They are
// the only check on time here, and only by the limit on the whole test.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "exposition/parser.h"

namespace firstword::exposition {
namespace {

std::string Repeat(std::size_t count, std::string_view line) {
  std::string out;
  out.reserve(count * line.size());
  for (std::size_t i = 0; i < count; ++i) out += line;
  return out;
}

std::string NumberedSeries(std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += "a{i=\"" + std::to_string(i) + "\"} 1\n";
  return out;
}

TEST(LargePageTest, KeepsAMillionSeriesAndNoMore) {
  std::string page = NumberedSeries(1'000'000);
  PageParser parser;
  ASSERT_TRUE(parser.Parse(page, Format::kText));
  EXPECT_EQ(parser.page().series().size(), 1'000'000u);
  page += "a{i=\"0\"} 1\n";
  ASSERT_TRUE(parser.Parse(page, Format::kText)) << "a duplicate needs no room";
  page += "one_more 1\n";
  const Result<void> result = parser.Parse(page, Format::kText);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kLimit);
  EXPECT_EQ(result.error().message, "the page has more than 1000000 series");
  EXPECT_EQ(parser.page().duplicate_count(), 1u) << "still the page before";
}

TEST(LargePageTest, RefusesBodiesPastFourGigabytesUnread) {
  static const char kByte = 'a';
  PageParser parser;
  const Result<void> result = parser.Parse({&kByte, std::size_t{UINT32_MAX} + 1}, Format::kText);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kLimit);
  EXPECT_EQ(result.error().message, "the page is larger than 4 GiB");
}

TEST(LargePageTest, ReadsHostilePagesInLinearTime) {
  std::string labels;
  for (int i = 0; i < 50'000; ++i) labels += "l" + std::to_string(i) + "=\"\",";
  std::string reversed;
  for (int i = 50'000; i-- > 0;) reversed += "l" + std::to_string(i) + "=\"\",";
  const std::string pages[] = {
      Repeat(100'000, "damaged{a=\"b\n"),
      Repeat(100'000, "damaged{a=\"b\\\"\n"),
      Repeat(100'000, "x 1\r\n# TYPE x gauge\r\n"),
      Repeat(100'000, "# HELP \"x\n"),
      Repeat(100'000, "x 1 # {a=\"\n"),
      Repeat(100'000, "x{a=\"\\\\\\\n\\\"\"} 1\n"),
      "x{" + labels + "} 1\nx{" + reversed + "} 1\nx{" + labels + "l0=\"\"} 1\n",
      "x{a=\"" + Repeat(300'000, "\n") + "\"} 1\n",
      "# TYPE h histogram\n" + Repeat(100'000, "h_bucket{le=\"1\"} 1\nh_bucket{a=\"b\"} 2\n"),
      Repeat(1'000'000, "\n"),
      "x " + Repeat(1'000'000, "1") + "\n",
      "x{a=\"" + Repeat(300'000, "\\d") + "\"} 1\n",
  };
  for (const std::string& page : pages) {
    for (const Mode mode : {Mode::kTolerant, Mode::kStrict}) {
      for (const Format format : {Format::kText, Format::kOpenMetrics}) {
        PageParser parser({.mode = mode});
        EXPECT_TRUE(parser.Parse(page + "last 1\n", format)) << page.substr(0, 40);
        EXPECT_LE(parser.page().faults().size(), 100u);
      }
    }
  }
}

}  // namespace
}  // namespace firstword::exposition
