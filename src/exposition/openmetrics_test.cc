#include <gtest/gtest.h>

#include <string>

#include "exposition/page_dump.h"
#include "exposition/parser.h"

namespace firstword::exposition {
namespace {

// The faults of a page, one a line.
std::string FaultsOf(std::string_view body, Mode mode) {
  PageParser parser({.mode = mode});
  const Result<void> result = parser.Parse(body, Format::kOpenMetrics);
  if (!result) return result.error().message + "\n";
  std::string out;
  for (const Fault& fault : parser.page().faults()) {
    out += std::to_string(fault.line) + ":" + std::to_string(fault.column) + " " + fault.message +
           "\n";
  }
  return out;
}

TEST(OpenMetricsTest, StrictAcceptsSoundPages) {
  auto f = [](std::string body) {
    body += "# EOF\n";
    EXPECT_EQ(FaultsOf(body, Mode::kStrict), "") << body;
  };
  f("m 1\n");
  f("m{} 1\nm{a=\"b\",} 1\n");
  f("# TYPE c counter\n# HELP c\nc_total 1 17.25\nc_created 1.5e9\n");
  f("# TYPE c counter\nc_total 1 # {} 1\n");
  f("# TYPE c counter\nc_total{a=\"b\"} 1 17 # {id=\"x # y\",n=\"\"} 0.5 17.125\n");
  f("# TYPE h histogram\nh_bucket{le=\"0.5\"} 1 # {id=\"1\"} 0.25\nh_bucket{le=\"+Inf\"} 1\n");
  f("# TYPE i info\ni_info{a=\"b\"} 1\n# TYPE s stateset\ns{s=\"on\"} 1\n");
  f("# TYPE t_seconds gauge\n# UNIT t_seconds seconds\nt_seconds 1\n");
  f("# TYPE u unknown\nu 1\n{\"v.w\",\"x.y\"=\"z\"} NaN\n");
  EXPECT_EQ(FaultsOf("m 1\n# EOF", Mode::kStrict), "") << "the last newline is optional";
}

TEST(OpenMetricsTest, StrictNamesEachDeparture) {
  auto f = [](std::string body, std::string_view want) {
    body += "ok 1\n# EOF\n";
    EXPECT_EQ(FaultsOf(body, Mode::kStrict), std::string(want) + "\n") << body;
    EXPECT_EQ(FaultsOf(body, Mode::kTolerant), "") << body;
  };
  f("\n", "1:1 blank line; OpenMetrics allows none");
  f("# hello\n", "1:1 comment; OpenMetrics has only # TYPE, # HELP, # UNIT, # EOF");
  f("# EOFa 1\n", "1:1 comment; OpenMetrics has only # TYPE, # HELP, # UNIT, # EOF");
  f("#  TYPE c counter\n", "1:2 exactly one space must stand before TYPE");
  f("# TYPE c counter \n", "1:17 blank at the end of the line");
  f("# TYPE c\tcounter\n", "1:9 exactly one space must stand before the text");
  f(" # TYPE c counter\n", "1:1 blank before '#'");
  f("# TYPE c untyped\n", "1:10 OpenMetrics has no type \"untyped\"; write \"unknown\"");
  f("# UNIT metricsuffix suffix\n",
    "1:21 the name of a family with unit suffix must end in _suffix");
  f("a\t1\n", "1:2 exactly one space must stand before the value");
  f("a 1 2 \n", "1:6 blank at the end of the line");
  f("a 1\t2\n", "1:4 exactly one space must stand before the timestamp");
  f("a{b=\"c\" ,d=\"e\"} 1\n", "1:8 blank inside braces");
  f("a{b=\"c\"d=\"e\"} 1\n", "1:8 missing comma between labels");
  f("a 1\r\n", "1:4 carriage return; lines must end in a newline alone");
  f("a 1 # {b=\"c\"} 1\n", "1:5 exemplar of a sample that is neither a _total nor a _bucket");
  f("a_total 1 # {b=\"" + std::string(128, 'x') + "\"} 1\n",
    "1:11 the exemplar's labels have 129 characters; at most 128 are allowed");
  f("# TYPE c counter\nc 1\n", "2:1 a sample of the counter c must be named c_total, not c");
  f("# TYPE i info\ni 1\n", "2:1 a sample of the info i must be named i_info, not i");
  f("# TYPE a gauge\na 1\nb 1\na{c=\"d\"} 1\n",
    "4:1 family a, begun on line 2, goes on after another one; keep it together");
  f("# TYPE g gaugehistogram\ng_bucket{le=\"+1.0\"} 1\ng_bucket{le=\"+Inf\"} 1\n",
    "2:10 le=\"+1.0\" is not canonical; write le=\"1.0\"");
}

TEST(OpenMetricsTest, DropsUnsoundLines) {
  auto f = [](std::string body, std::string_view want) {
    body += "\nok 1\n# EOF\n";
    EXPECT_EQ(FaultsOf(body, Mode::kTolerant), std::string(want) + "\n") << body;
    EXPECT_EQ(FaultsOf(body, Mode::kStrict), std::string(want) + "\n") << body;
  };
  f("a 1 NaN", "1:5 \"NaN\" is not a timestamp in seconds");
  f("a 1 -Inf", "1:5 \"-Inf\" is not a timestamp in seconds");
  f("a 1 1e300", "1:5 \"1e300\" is not a timestamp in seconds");
  f("a 1_2", "1:3 \"1_2\" is not a number");
  f("a 0x1p-3", "1:3 \"0x1p-3\" is not a number");
  f("a{,b=\"c\"} 1", "1:3 expected a label name, found ','");
  f("a{b=\"c\",,d=\"e\"} 1", "1:9 expected a label name, found ','");
  f("a_total 1 # {b=\"c\"}", "1:20 the exemplar has no number as its value");
  f("a_total 1 # {b=\"c\"} 1_2", "1:21 the exemplar has no number as its value");
  f("a_total 1 # {b=\"c\"} 1 x", "1:23 the exemplar's timestamp is not a number of seconds");
  f("a_total 1 # {b=\"c\"} 1 2 3", "1:25 expected the end of the line, found '3'");
  f("a_total 1 # b", "1:13 expected '{' of the exemplar, found 'b'");
  f("a_total 1 # {b}", "1:15 expected '=' after label b, found '}'");
  f("a_total 1 # {\"b\"} 1", "1:14 second metric name; a label needs a value, b=\"...\"");
  f("# UNIT", "1:7 expected a metric name after # UNIT");
}

TEST(OpenMetricsTest, TheEndMarkTellsACutPage) {
  auto f = [](std::string_view body, std::string_view strict, std::string_view tolerant) {
    EXPECT_EQ(FaultsOf(body, Mode::kStrict), strict) << body;
    EXPECT_EQ(FaultsOf(body, Mode::kTolerant), tolerant) << body;
  };
  f("", "the page is empty\n", "the page is empty\n");
  f("\n", "the page is empty\n", "the page is empty\n");
  f("# EOF\n", "no sample on the page, which begins: # EOF \n",
    "no sample on the page, which begins: # EOF \n");
  f("a 1\n", "2:1 missing # EOF: the page may be cut\n", "");
  f("a 1\n# EOF\n\n", "3:1 text after # EOF; it is not read\n",
    "3:1 text after # EOF; it is not read\n");
  f("a 1\n# EOF\nb 1\n", "3:1 text after # EOF; it is not read\n",
    "3:1 text after # EOF; it is not read\n");
  PageParser parser;
  ASSERT_TRUE(parser.Parse("a 1\n", Format::kOpenMetrics));
  EXPECT_FALSE(parser.page().complete());
  ASSERT_TRUE(parser.Parse("a 1\n# EOF", Format::kOpenMetrics));
  EXPECT_TRUE(parser.page().complete());
}

TEST(OpenMetricsTest, SuffixesBelongToTheTypesThatUseThem) {
  PageParser parser;
  ASSERT_TRUE(
      parser.Parse("# TYPE g gauge\ng 1\ng_total 1\ng_count 1\n"
                   "# TYPE h histogram\nh_count 1\nh_gcount 1\nh_created 1\nh_total 1\n"
                   "late_total 1\n# TYPE late counter\n# EOF\n",
                   Format::kOpenMetrics));
  EXPECT_EQ(DumpPage(parser.page(), DumpLines::kYes),
            "family g gauge on 1\nfamily h histogram on 5\nfamily late counter on 10\n"
            "g = 1 of g on 2\ng_total = 1 on 3\ng_count = 1 on 4\n"
            "h_count = 1 of h on 6\nh_gcount = 1 on 7\nh_created = 1 of h on 8\nh_total = 1 on 9\n"
            "late_total = 1 of late on 10\n");
}

}  // namespace
}  // namespace firstword::exposition
