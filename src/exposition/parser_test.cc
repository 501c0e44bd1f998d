#include "exposition/parser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "exposition/page_dump.h"

namespace firstword::exposition {
namespace {

namespace fs = std::filesystem;

const fs::path kTestdata = FIRSTWORD_SOURCE_DIR "/src/exposition/testdata";

std::string ReadAll(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string Parsed(std::string_view body, Format format, Mode mode) {
  PageParser parser({.mode = mode});
  const Result<void> result = parser.Parse(body, format);
  return result ? DumpPage(parser.page()) : "error " + result.error().ToString() + "\n";
}

// Each page of testdata (*.prom text, *.om OpenMetrics) has its dump beside it, first as
// tolerant mode reads it, then as strict mode does. FIRSTWORD_WRITE_GOLDEN=1 writes them.
TEST(PageParserTest, ReadsPagesAsTheirGoldenFilesSay) {
  int pages = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(kTestdata)) {
    const fs::path path = entry.path();
    if (path.extension() != ".prom" && path.extension() != ".om") continue;
    ++pages;
    const Format format = path.extension() == ".om" ? Format::kOpenMetrics : Format::kText;
    const std::string body = ReadAll(path);
    const std::string got = "--- tolerant\n" + Parsed(body, format, Mode::kTolerant) +
                            "--- strict\n" + Parsed(body, format, Mode::kStrict);
    const fs::path golden = path.string() + ".golden";
    if (std::getenv("FIRSTWORD_WRITE_GOLDEN") != nullptr) std::ofstream(golden) << got;
    EXPECT_EQ(got, ReadAll(golden)) << path;
  }
  EXPECT_GE(pages, 8);
}

TEST(PageParserTest, KeepsWhatIsSoundOfATextPage) {
  auto f = [](std::string_view body, std::string_view want) {
    EXPECT_EQ(Parsed(body, Format::kText, Mode::kTolerant), want) << body;
  };
  f("x 1\n", "x = 1\n");
  f("x{a=\"b\",} 1\n", "x{a=\"b\"} = 1\n");
  f("x { a = \"b\" } 1\n", "x{a=\"b\"} = 1\n");
  f("x{ a=\"b\" c=\"d\"} 1\n", "x{a=\"b\",c=\"d\"} = 1\n");
  f("x\t1\n", "x = 1\n");
  f("  x 1\n\n\ny 2\n", "x = 1\ny = 2\n");
  f("x 1\r\ny 2\r\n", "x = 1\ny = 2\n");
  f("x 1", "x = 1\nincomplete\n");
  f("{\"my.name\",a=\"b\"} 1\n", "my.name{a=\"b\"} = 1\n");
  f("x{\"my.label\"=\"b\"} 1\n", "x{my.label=\"b\"} = 1\n");
  f("x{a=\"q\\\"\\\\\\n\\z\"} 1\n", "x{a=\"q\\\"\\\\\\n\\\\z\"} = 1\n");
  f("x{a=\"{'method': 'prefill'}\"} 1\n", "x{a=\"{'method': 'prefill'}\"} = 1\n");
  f("x{a=\"two\nlines\"} 1\ny 2\n", "x{a=\"two\\nlines\"} = 1\ny = 2\n");
  f("x 1 1700000000000\ny 2\n", "x = 1 @1700000000000\ny = 2\n");
  f("x 1 -5\n", "x = 1 @-5\n");
  f("x -nan\ny +Inf\nz -Inf\nw 1e-3\n", "x = nan\ny = inf\nz = -inf\nw = 0.001\n");
  f("x 1\nx 2\n", "x = 1\nduplicates 1\n");
  f("x{a=\"1\",b=\"2\"} 1\nx{b=\"2\",a=\"1\"} 2\n", "x{a=\"1\",b=\"2\"} = 1\nduplicates 1\n");
  f("# just words\n# EOF\nx 1\n", "x = 1\n");
  f("#\t TYPE  x\tgauge\nx 1\n", "family x gauge\nx = 1 of x\n");
  f("x 1\n# HELP x a\\nb \\\\ c\n# TYPE x counter\n",
    "family x counter help=\"a\\nb \\\\ c\"\nx = 1\n");
  f("\xef\xbb\xbf",
    "error the page is empty (the server answers but exports no metrics; is metrics export "
    "switched on?)\n");
}

TEST(PageParserTest, DropsUnsoundLinesAndNamesThem) {
  auto f = [](std::string_view line, std::string_view want) {
    EXPECT_EQ(Parsed("ok 1\n" + std::string(line) + "\nlast 2\n", Format::kText, Mode::kTolerant),
              "ok = 1\nlast = 2\nfault 2:" + std::string(want) + "\n")
        << line;
  };
  f("a", "2 expected a value, found the end of the line");
  f("a{b='c'} 1", "5 value of label b must be in double quotes, found '''");
  f("a{b=", "5 value of label b must be in double quotes, found the end of the line");
  f("a{\xff=\"foo\"} 1", "3 expected a label name, found byte 0xff");
  f("a{b=\"\xff\"} 1", "6 invalid UTF-8");
  f("a true", "3 \"true\" is not a number");
  f("a 1_2", "3 \"1_2\" is not a number");
  f("a 0x1p-3", "3 \"0x1p-3\" is not a number");
  f("a 0 1_2", "5 \"1_2\" is not a timestamp");
  f("a 0 1 2", "7 expected the end of the line, found '2'");
  f("a{=\"\"} 0", "3 expected a label name, found '='");
  f("{b=\"ok\"} 1", "1 labels without a metric name");
  f("{\"a\",\"b\"} 1", "6 second metric name");
  f("a{b=\"1\",b=\"2\"} 1", "1 a label stands twice in one series");
  f("a{b=\"c\"", "8 expected ',' or '}', found the end of the line");
  f("-a 1", "1 expected a metric name, found '-'");
  f("# TYPE #", "8 expected a metric name after # TYPE");
}

TEST(PageParserTest, AnUnknownTypeWordLeavesTheFamilyUntyped) {
  EXPECT_EQ(Parsed("# TYPE a thing\na 1\n", Format::kText, Mode::kTolerant),
            "family a unknown\na = 1 of a\nfault 1:10 unknown metric type \"thing\"\n");
}

TEST(PageParserTest, AnUnclosedQuoteLosesItsLineOnly) {
  EXPECT_EQ(Parsed("a{b=\"c} 1\nok 2\n", Format::kText, Mode::kTolerant),
            "ok = 2\nfault 1:5 the quote is never closed\n");
}

TEST(PageParserTest, SaysWhatAForeignBodyIs) {
  auto f = [](std::string_view body, std::string_view want) {
    PageParser parser;
    const Result<void> result = parser.Parse(body, Format::kText);
    ASSERT_FALSE(result) << body;
    EXPECT_EQ(result.error().code, ErrorCode::kParse);
    EXPECT_EQ(result.error().message, want);
    EXPECT_FALSE(result.error().hint.empty());
    EXPECT_EQ(parser.page().layout_id(), 0u);
  };
  f("", "the page is empty");
  f(" \n\n", "the page is empty");
  f("<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head>",
    "this is an HTML page, not metrics: \"502 Bad Gateway\"");
  f("<a/>", "this is a markup page, not metrics: <a/>");
  f("[{\"iter\": 1}]", "this is JSON, not a metrics page: [{\"iter\": 1}]");
  f("{\"detail\": \"Not Found\"}", "this is JSON, not a metrics page: {\"detail\": \"Not Found\"}");
  f(std::string_view("\x1f\x8b\x08\x00", 4), "the page is gzip data, not text");
  f(std::string_view("\x7f\x45LF\x00\x01\x02\x03", 8),
    "this is binary data, not a metrics page: \\x7fELF\\x00\\x01\\x02\\x03");
  f("Hello, World!\n",
    "no sound sample on the page (\",\" is not a number), which begins: Hello, World! ");
  f("# TYPE a gauge\n", "no sample on the page, which begins: # TYPE a gauge ");
}

TEST(PageParserTest, AFailureLeavesThePageAsItWas) {
  PageParser parser;
  ASSERT_TRUE(parser.Parse("a 1\nb 2\n", Format::kText));
  const std::string before = DumpPage(parser.page());
  EXPECT_FALSE(parser.Parse("<html>", Format::kText));
  EXPECT_EQ(DumpPage(parser.page()), before);
  ASSERT_TRUE(parser.Parse("a 3\nb 2\n", Format::kText));
  EXPECT_EQ(DumpPage(parser.page()), "a = 3\nb = 2\n");
}

TEST(PageParserTest, StopsAtTheSeriesLimit) {
  PageParser parser({.max_series = 2});
  EXPECT_TRUE(parser.Parse("a 1\nb 2\n", Format::kText));
  const Result<void> result = parser.Parse("a 1\nb 2\nc 3\n", Format::kText);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kLimit);
  EXPECT_EQ(result.error().message, "the page has more than 2 series");
}

TEST(PageParserTest, CountsFaultsPastTheOnesItKeeps) {
  PageParser parser({.max_faults = 1});
  ASSERT_TRUE(parser.Parse("a\nb\nc\nok 1\n", Format::kText));
  EXPECT_EQ(parser.page().faults().size(), 1u);
  EXPECT_EQ(parser.page().fault_count(), 3u);
}

TEST(PageParserTest, LayoutIdChangesWithTheSeriesOnly) {
  PageParser parser;
  const auto id = [&](std::string_view body) {
    EXPECT_TRUE(parser.Parse(body, Format::kText));
    return parser.page().layout_id();
  };
  const std::uint64_t first = id("# HELP a one\na 1\nb 2\n");
  EXPECT_EQ(id("# HELP a one\na 10\nb 2\n"), first);
  EXPECT_EQ(id("# HELP a two\na 10\nb 2\n"), first) << "help text is not layout";
  const std::uint64_t second = id("b 2\na 1\n");
  EXPECT_NE(second, first);
  EXPECT_NE(id("b 2\na 1\nc 1\n"), second);
}

TEST(PageParserTest, RemembersAcrossChangesOfNumbersAsAFreshParserReads) {
  std::mt19937 random(7);
  const auto pick = [&](std::size_t n) { return random() % n; };
  const std::vector<std::string> numbers = {"0",
                                            "1",
                                            "12",
                                            "1.5",
                                            "1e9",
                                            "NaN",
                                            "+Inf",
                                            "-nan",
                                            "0.00025",
                                            "917.264143705368",
                                            "true",
                                            "",
                                            "123456789012345678901234567890"};
  std::vector<std::string> lines;
  for (int i = 0; i < 30; ++i) {
    lines.push_back((i % 7 == 0 ? "# HELP m" + std::to_string(i) + " words\n" : "") + "m" +
                    std::to_string(i % 25) + "{l=\"" + std::to_string(i % 9) + "\"} ");
  }
  for (const Mode mode : {Mode::kTolerant, Mode::kStrict}) {
    PageParser parser({.mode = mode});
    std::vector<std::string> values(lines.size(), "1");
    std::vector<std::string> names = lines;
    for (int round = 0; round < 2000; ++round) {
      for (std::size_t k = pick(4); k > 0; --k)
        values[pick(values.size())] = numbers[pick(numbers.size())];
      if (pick(10) == 0) std::swap(names[pick(names.size())], names[pick(names.size())]);
      if (pick(10) == 0) names[pick(names.size())] = lines[pick(lines.size())];
      if (pick(20) == 0) names[pick(names.size())].clear();
      std::string body;
      for (std::size_t i = 0; i < names.size(); ++i) body += names[i] + values[i] + "\n";
      if (pick(25) == 0) body.resize(pick(body.size()));
      PageParser fresh({.mode = mode});
      const Result<void> want = fresh.Parse(body, Format::kText);
      const Result<void> got = parser.Parse(body, Format::kText);
      ASSERT_EQ(got.has_value(), want.has_value()) << body;
      if (want) {
        ASSERT_EQ(DumpPage(parser.page()), DumpPage(fresh.page())) << body;
      }
    }
  }
}

TEST(FormatFromContentTypeTest, LooksAtTheMediaTypeOnly) {
  auto f = [](std::string_view header, Format format, bool recognised) {
    EXPECT_EQ(FormatFromContentType(header).format, format) << header;
    EXPECT_EQ(FormatFromContentType(header).recognised, recognised) << header;
  };
  f("text/plain; version=0.0.4; charset=utf-8", Format::kText, true);
  f("Text/Plain", Format::kText, true);
  f("application/openmetrics-text; version=1.0.0", Format::kOpenMetrics, true);
  f(" application/openmetrics-text ;x", Format::kOpenMetrics, true);
  f("application/json", Format::kText, false);
  f("", Format::kText, false);
}

}  // namespace
}  // namespace firstword::exposition
