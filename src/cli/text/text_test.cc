#include "cli/text/text.h"

#include <gtest/gtest.h>

#include <string>

#include "cli/text/bars.h"
#include "cli/text/table.h"

namespace firstword::cli {
namespace {

TEST(TextTest, WidthCountsColumns) {
  EXPECT_EQ(DisplayWidth("abc"), 3u);
  EXPECT_EQ(DisplayWidth("5–10 µs"), 7u);
  EXPECT_EQ(DisplayWidth("模型"), 4u);
  EXPECT_EQ(DisplayWidth("e\u0301"), 1u);
  EXPECT_EQ(DisplayWidth("\xff\xfe"), 2u);
}

TEST(TextTest, Pads) {
  EXPECT_EQ(PadRight("–", 3), "–  ");
  EXPECT_EQ(PadLeft("–", 3), "  –");
  EXPECT_EQ(PadLeft("long", 2), "long");
}

TEST(TextTest, ShortensInTheMiddle) {
  EXPECT_EQ(Shorten("chat-70b-2.example.com:8000", 15), "chat-70…om:8000");
  EXPECT_EQ(Shorten("short", 15), "short");
  EXPECT_EQ(Shorten("abc", 1), "…");
  EXPECT_EQ(Shorten("abc", 0), "");
}

TEST(TextTest, OutsideTextCannotDriveTheTerminal) {
  EXPECT_EQ(Printable("a\x1b[31mb\tc\nd\x7f"), "a?[31mb c d?");
  EXPECT_EQ(Printable("\xc2\x9b"), "?");
  EXPECT_EQ(Printable("\xff"), "\uFFFD");
}

TEST(TextTest, Wraps) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(Wrap("one two three", 8), (Lines{"one two", "three"}));
  EXPECT_EQ(Wrap("abcdefghij k", 4), (Lines{"abcd", "efgh", "ij k"}));
  EXPECT_EQ(Wrap("", 10), (Lines{""}));
  EXPECT_EQ(Wrap("模型", 1), (Lines{"模", "型"}));
}

TEST(TextTest, DecodesOnlySoundUtf8) {
  auto f = [](std::string_view in, char32_t value, std::size_t bytes) {
    const CodePoint got = DecodeUtf8(in);
    EXPECT_EQ(got.value, value) << testing::PrintToString(in);
    EXPECT_EQ(got.bytes, bytes) << testing::PrintToString(in);
  };
  f("a", U'a', 1);
  f("é", U'é', 2);
  f("█", U'█', 3);
  f("😀", U'😀', 4);
  f("\xc0\x80", 0xfffd, 1);          // overlong
  f("\xed\xa0\x80", 0xfffd, 1);      // surrogate
  f("\xf4\x90\x80\x80", 0xfffd, 1);  // beyond Unicode
  f("\xe2\x96", 0xfffd, 1);          // cut
}

TEST(BarTest, ShowsEighths) {
  EXPECT_EQ(Bar(0.5, 8, true), "████");
  EXPECT_EQ(Bar(0.0001, 8, true), "▏");
  EXPECT_EQ(Bar(0.55, 8, true), "████▍");
  EXPECT_EQ(Bar(2, 4, true), "████");
  EXPECT_EQ(Bar(0, 4, true), "");
  EXPECT_EQ(Bar(-1, 4, true), "");
  EXPECT_EQ(Bar(0.0001, 8, false), "#");
  EXPECT_EQ(Bar(0.5, 8, false), "####");
}

TEST(SparklineTest, ScalesAndKeepsGaps) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> values = {0, 1, 4, nan, 8};
  EXPECT_EQ(Sparkline(values, 10, 8, true), "▁▂▅ █");
  EXPECT_EQ(Sparkline(values, 10, 8, false), "_.+ #");
  EXPECT_EQ(Sparkline(values, 2, 8, true), " █");
  EXPECT_EQ(Sparkline(std::vector<double>{0, 0}, 4, 0, true), "▁▁");
}

TEST(TableTest, AlignsAndWrapsTheLastColumn) {
  Table table({{.title = "NAME"}, {.title = "N", .align = Table::Align::kRight}, {.title = ""}});
  table.AddRow({"a", "1", "some words that go on and on"});
  table.AddRow({"bc", "22"});
  table.AddNote("a note");
  EXPECT_EQ(table.Render(Paint(false), 30),
            "  NAME   N\n"
            "  a      1  some words that go\n"
            "            on and on\n"
            "  bc    22\n"
            "    a note\n");
}

TEST(TableTest, WordsThatDoNotFitGoBelow) {
  Table table({{.title = ""}, {.title = ""}});
  table.AddRow({"a name", "a_word_of_eighteen"});
  table.AddRow({"b", "short"});
  EXPECT_EQ(table.Render(Paint(false), 24),
            "  a name\n"
            "    a_word_of_eighteen\n"
            "  b\n"
            "    short\n");
}

}  // namespace
}  // namespace firstword::cli
