#include "exposition/parser.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
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
    const fs::path& path = entry.path();
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
  f(std::string_view("x{a=\"\0\"} 1\n", 11), "x{a=\"\\x00\"} = 1\n");
  f("x 1 1700000000000\ny 2\n", "x = 1 @1700000000000\ny = 2\n");
  f("x 1 -5\n", "x = 1 @-5\n");
  f("x -nan\ny +Inf\nz -Inf\nw 1e-3\n", "x = nan\ny = inf\nz = -inf\nw = 0.001\n");
  f("x 1\nx 2\n", "x = 1\nduplicates 1\n");
  f("x{a=\"1\",b=\"2\"} 1\nx{b=\"2\",a=\"1\"} 2\n", "x{a=\"1\",b=\"2\"} = 1\nduplicates 1\n");
  f("# just words\n# EOF\nx 1\n", "x = 1\n");
  f("#\t TYPE  x\tgauge\nx 1\n", "family x gauge\nx = 1 of x\n");
  f("x 1\n# HELP x a\\nb \\\\ c\n# TYPE x counter\n",
    "family x counter help=\"a\\nb \\\\ c\"\nx = 1 of x\n");
  f("\xef\xbb\xbf",
    "error the page is empty (if a server answered this, its metrics export is switched "
    "off)\n");
}

TEST(PageParserTest, DropsUnsoundLinesAndNamesThem) {
  auto f = [](std::string_view line, std::string_view want) {
    EXPECT_EQ(Parsed("ok 1\n" + std::string(line) + "\nlast 2\n", Format::kText, Mode::kTolerant),
              "ok = 1\nlast = 2\nfault 2:" + std::string(want) + "\n")
        << line;
  };
  f("a", "2 expected a value, found the end of the line");
  f("a{b='c'} 1", "5 the value of label b must be in double quotes, found '''");
  f("a{b=", "5 the value of label b must be in double quotes, found the end of the line");
  f("a{\xff=\"foo\"} 1", "3 expected a label name, found byte 0xff");
  f("a{b=\"\xff\"} 1", "6 invalid UTF-8");
  f("a true", "3 \"true\" is not a number");
  f("a 1_2", "3 \"1_2\" is not a number");
  f("a 0x1p-3", "3 \"0x1p-3\" is not a number");
  f("a 0 1_2", "5 \"1_2\" is not a timestamp in whole milliseconds");
  f("a 0 1 2", "7 expected the end of the line, found '2'");
  f("a{=\"\"} 0", "3 expected a label name, found '='");
  f("\r# TYPE a gauge", "1 expected a metric name, found byte 0x0d");
  f("{b=\"ok\"} 1", "1 labels without a metric name");
  f("{\"a\",\"b\"} 1", "6 second metric name; a label needs a value, b=\"...\"");
  f("a{b=\"1\",b=\"2\"} 1", "1 label b stands twice in this series");
  f("a{b=\"c\"", "8 expected ',' or '}', found the end of the line");
  f("-a 1", "1 expected a metric name, found '-'");
  f("# TYPE #", "8 expected a metric name after # TYPE");
  f("# HELP #", "8 expected a metric name after # HELP");
  f("# HELP a \xff", "10 invalid UTF-8");
  f("# HELP \"a", "8 the quote is never closed");
  f("{\"a\", \"b = \"c\"}", "13 expected '=' after label b = , found 'c'");
  f("{\"a\",b\nc=\"d\"} 1",
    "7 expected '=' after label b, found the end of the line\nfault 3:2 \"=\"d\"}\" is not a "
    "number");
  f("something{problem=\"", "19 the quote is never closed");
  f("{a}0", "3 expected '=' after label a, found '}'");
  f("{\"\"} 0", "2 empty metric name");
  f("a 1 # note", "7 expected '{' of the exemplar, found 'n'");
  f("a{,} 1", "3 expected a label name, found ','");
  f("a 1 99999999999999999999",
    "5 \"99999999999999999999\" is not a timestamp in whole milliseconds");
}

TEST(PageParserTest, NamesInStrictTextWhatTolerantLetsPass) {
  auto f = [](std::string_view body, std::string_view want) {
    PageParser parser({.mode = Mode::kStrict});
    ASSERT_TRUE(parser.Parse(body, Format::kText)) << body;
    std::string got;
    for (const Fault& fault : parser.page().faults()) {
      got += std::to_string(fault.line) + ":" + std::to_string(fault.column) + " " + fault.message +
             "\n";
    }
    EXPECT_EQ(got, want) << body;
    EXPECT_EQ(Parsed(body, Format::kText, Mode::kTolerant).find("fault"), std::string::npos);
  };
  f("x 1\n", "");
  f("  x{ a = \"b\" , } \t 1 17\n\n# EOF\n#\tTYPE\t y\tgauge\ny 1\n", "");
  f("\xef\xbb\xbfx 1\n", "1:1 byte order mark; write UTF-8 without one\n");
  f("x 1\r\n\r\ny 2\n",
    "1:4 carriage return; lines must end in a newline alone\n"
    "2:1 carriage return; lines must end in a newline alone\n");
  f("x 1\ny 2", "2:4 missing newline at the end: the page may be cut\n");
  f("x{a=\"1\" b=\"2\"} 1\n", "1:9 missing comma between labels\n");
  f("x{a=\"\\d\"} 1\n", "1:6 unknown escape; write \\\\ for a backslash\n");
  f("x{a=\"1\n2\",b=\"\\d\"} 1\n",
    "1:7 line break inside quotes; write \\n\n"
    "2:7 unknown escape; write \\\\ for a backslash\n");
  f("x 1 -5\n", "1:5 timestamp with a sign; Prometheus rejects the page\n");
  f("x -nan\n", "1:3 \"-nan\" has a sign, which Prometheus rejects; write NaN\n");
  f("x{a=\"1\"} 1\ny 1\nx{a=\"1\"} 2\n", "3:1 duplicate series, first on line 1\n");
  f("x_total 1 # {id=\"7\"} 1\n", "1:11 exemplar; only OpenMetrics has them\n");
  f("x 1\n# TYPE x gauge\n", "1:1 the # TYPE of x on line 2 must stand before its samples\n");
  f("# TYPE x info\nx_info 1\n",
    "1:10 the text format has no type \"info\"; Prometheus rejects the page\n");
  f("# TYPE x counter\nx_total 1\n",
    "2:1 a sample of the counter x must be named x, not x_total\n");
  f("# TYPE h histogram\nh_bucket{a=\"b\",le=\"Inf\"} 1\n",
    "2:16 le=\"Inf\" is not canonical; write le=\"+Inf\"\n");
  f("# TYPE h histogram\nh_bucket{le=\"1\",a=\"b\"} 2\nh_bucket{a=\"b\",le=\"+Inf\"} 1\n",
    "3:16 bucket le=\"+Inf\" counts 1, less than the 2 of the bucket below; buckets are "
    "cumulative\n");
  f("# TYPE h histogram\nh_bucket 1\n", "2:1 a bucket needs a number as its label le\n");
  f("# \xff\nx 1\n", "1:3 invalid UTF-8\n");
}

TEST(PageParserTest, FaultsAreOneLineWhateverTheyQuote) {
  auto f = [](std::string_view body, std::string_view want) {
    EXPECT_EQ(Parsed(body, Format::kText, Mode::kTolerant), want);
  };
  f("ok 1\nx{\"a\\nb\"} 1\n{\"c\\nd\"= 1\n",
    "ok = 1\n"
    "fault 2:3 second metric name; a label needs a value, a\\x0ab=\"...\"\n"
    "fault 3:10 the value of label c\\x0ad must be in double quotes, found '1'\n");
  f("ok 1\nx \x1b[31m\n", "ok = 1\nfault 2:3 \"\\x1b[31m\" is not a number\n");
  f("ok 1\n{\"" + std::string(1000, 'n') + "\"=1} 1\n",
    "ok = 1\nfault 2:1005 the value of label " + std::string(281, 'n') + "...\n");
}

TEST(PageParserTest, AnUnknownTypeWordLeavesTheFamilyUntyped) {
  EXPECT_EQ(Parsed("# TYPE a thing\na 1\n", Format::kText, Mode::kTolerant),
            "family a unknown\na = 1 of a\nfault 1:10 unknown metric type \"thing\"; a is taken as "
            "untyped\n");
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

TEST(PageParserTest, StopsAtAsManyFamilies) {
  PageParser parser({.max_series = 2});
  const std::string two = "# TYPE a gauge\n# HELP a words\n# TYPE b gauge\na 1\n";
  EXPECT_TRUE(parser.Parse(two, Format::kText));
  const Result<void> result = parser.Parse("# TYPE c gauge\n" + two, Format::kText);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kLimit);
  EXPECT_EQ(result.error().message, "the page declares more than 2 families");
}

TEST(PageParserTest, CountsFaultsPastTheOnesItKeeps) {
  PageParser parser({.max_faults = 1});
  ASSERT_TRUE(parser.Parse("a\nb\nc\nok 1\n", Format::kText));
  EXPECT_EQ(parser.page().faults().size(), 1u);
  EXPECT_EQ(parser.page().fault_count(), 3u);
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
