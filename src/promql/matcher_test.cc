#include "promql/matcher.h"

#include <gtest/gtest.h>

#include <string>

namespace firstword::promql {
namespace {

std::string Print(const std::vector<Matcher>& matchers) {
  std::string out;
  for (const Matcher& m : matchers) out += m.ToString() + " ";
  return out;
}

TEST(ParseSelectorTest, Accepts) {
  auto f = [](std::string_view text, std::string_view want) {
    Result<std::vector<Matcher>> got = ParseSelector(text);
    ASSERT_TRUE(got) << text << ": " << got.error().message;
    EXPECT_EQ(Print(*got), want) << text;
  };
  f("up", R"(__name__="up" )");
  f("vllm:num_requests_running", R"(__name__="vllm:num_requests_running" )");
  f(R"(a{b="c"})", R"(__name__="a" b="c" )");
  f(R"( a { b = "c" , d != 'e', } )", R"(__name__="a" b="c" d!="e" )");
  f(R"({x=~"a|b",y!~"c.*"})", R"(x=~"a|b" y!~"c.*" )");
  f(R"({"my.name",a="b"})", R"(__name__="my.name" a="b" )");
  f(R"(a{b="q\"\\n"})", R"(__name__="a" b="q\"\\n" )");
}

TEST(ParseSelectorTest, RejectsWithColumn) {
  auto f = [](std::string_view text, std::string_view want) {
    Result<std::vector<Matcher>> got = ParseSelector(text);
    ASSERT_FALSE(got) << text;
    EXPECT_EQ(got.error().message, want) << text;
  };
  f("", "empty selector: give a metric name or a label matcher");
  f("{}", "empty selector: give a metric name or a label matcher");
  f("a{b}", "column 4: expected one of = != =~ !~, found \"}\"");
  f("a{b=c}", "column 5: expected a quoted value, found \"c}\"");
  f("a{b=\"c}", "column 5: the quote is never closed");
  f("a{b=\"c\"", "column 8: expected ',' or '}', found the end");
  f("a b", "column 3: expected the end of the selector, found \"b\"");
  f("a{b=~\"(\"}", "bad regular expression \"(\": missing ): (");
  f("a{b=~\")(\"}", "bad regular expression \")(\": unexpected ): )(");
}

TEST(MatcherTest, AnchorsAndTreatsAbsentAsEmpty) {
  auto f = [](std::string_view selector, const Labels& labels, bool want) {
    EXPECT_EQ(MatchesAll(ParseSelector(selector).value(), labels), want)
        << selector << " on " << labels.ToString();
  };
  const Labels labels{{"__name__", "a"}, {"b", "two\nlines"}};
  f("a", labels, true);
  f("aa", labels, false);
  f(R"(a{c=""})", labels, true);
  f(R"(a{c!=""})", labels, false);
  f(R"(a{b=~"two"})", labels, false);
  f(R"(a{b=~"two.lines"})", labels, true);
  f(R"(a{b!~"one|two"})", labels, true);
}

TEST(LabelsTest, SortsDeduplicatesAndDropsEmpty) {
  Labels labels{{"z", "1"}, {"a", "x"}, {"z", "2"}, {"e", ""}};
  EXPECT_EQ(labels.ToString(), R"({a="x",z="2"})");
  labels.Set("m", "3");
  labels.Set("a", "");
  EXPECT_EQ(labels.ToString(), R"({m="3",z="2"})");
  EXPECT_EQ(labels.Get("missing"), "");
  EXPECT_EQ(Labels{}.ToString(), "{}");
  EXPECT_EQ((Labels{{"__name__", "up"}, {"q", "a\"b\\c\nd"}}.ToString()), R"(up{q="a\"b\\c\nd"})");
}

}  // namespace
}  // namespace firstword::promql
