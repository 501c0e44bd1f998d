#include "store/recent_scrapes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "exposition/parser.h"

namespace firstword::store {
namespace {

using promql::Labels;

class RecentScrapesTest : public testing::Test {
 protected:
  bool Append(TimestampMs time, std::string_view body) {
    EXPECT_TRUE(parser_.Parse(body, exposition::Format::kText));
    return scrapes_.Append(target_, time, parser_.page());
  }

  // "labels: t=v t=stale ..." a line, sorted.
  std::string Dump(std::string_view selector, promql::TimeRange range = {}) {
    const auto matchers = promql::ParseSelector(selector).value();
    std::vector<std::string> lines;
    for (const promql::ColumnGroup& group :
         scrapes_.Select({.matchers = matchers, .range = range}).value()) {
      for (const promql::Column& column : group.columns) {
        std::string line = column.labels->ToString() + ":";
        for (std::size_t i = 0; i < column.values.size(); ++i) {
          const double v = column.values[i];
          line += " " + std::to_string((*group.times)[i]) + "=";
          line += promql::IsStale(v)    ? "stale"
                  : promql::IsSample(v) ? std::to_string(static_cast<int>(v))
                                        : "_";
        }
        lines.push_back(line);
      }
    }
    std::sort(lines.begin(), lines.end());
    std::string out;
    for (const std::string& line : lines) out += line + "\n";
    return out;
  }

  const Labels target_{{"job", "j"}, {"instance", "i:1"}};
  exposition::PageParser parser_;
  RecentScrapes scrapes_{3};
};

TEST_F(RecentScrapesTest, MarksWhatEndsAndWhatComesLater) {
  EXPECT_TRUE(Append(10, "a 1\nb 2\n"));
  EXPECT_TRUE(Append(20, "a 3\nc 4\n"));
  EXPECT_TRUE(Append(30, "a 5\nb 6\nc 7\n"));
  EXPECT_EQ(Dump(R"({job="j"})"),
            "a{instance=\"i:1\",job=\"j\"}: 10=1 20=3 30=5\n"
            "b{instance=\"i:1\",job=\"j\"}: 10=2 20=stale 30=6\n"
            "c{instance=\"i:1\",job=\"j\"}: 10=_ 20=4 30=7\n");
}

TEST_F(RecentScrapesTest, WindowIsLeftOpen) {
  Append(10, "a 1\n");
  Append(20, "a 2\n");
  EXPECT_EQ(Dump("a", {.after = 10, .until = 20}), "a{instance=\"i:1\",job=\"j\"}: 20=2\n");
  EXPECT_EQ(Dump("a", {.after = 20, .until = 30}), "");
}

TEST_F(RecentScrapesTest, ForgetsOldRowsAndDeadSeries) {
  for (int i = 1; i <= 5; ++i) Append(i, i == 1 ? "a 1\nb 1\n" : "a " + std::to_string(i) + "\n");
  EXPECT_EQ(Dump(R"({job="j"})"), "a{instance=\"i:1\",job=\"j\"}: 3=3 4=4 5=5\n");
}

TEST_F(RecentScrapesTest, AFailedScrapeEndsEverySeriesAndTimeOnlyGrows) {
  Append(10, "a 1\n");
  EXPECT_TRUE(scrapes_.AppendFailure(target_, 20));
  EXPECT_FALSE(Append(20, "a 9\n"));
  EXPECT_EQ(Dump("a"), "a{instance=\"i:1\",job=\"j\"}: 10=1 20=stale\n");
}

TEST_F(RecentScrapesTest, KeepsAScrapedLabelThatClashesAsExported) {
  Append(10, "a{job=\"other\"} 1\n");
  EXPECT_EQ(Dump("a"), "a{exported_job=\"other\",instance=\"i:1\",job=\"j\"}: 10=1\n");
}

TEST_F(RecentScrapesTest, RefusesMoreSamplesThanAllowed) {
  Append(10, "a 1\nb 1\n");
  const auto matchers = promql::ParseSelector(R"({job="j"})").value();
  const auto result = scrapes_.Select({.matchers = matchers, .range = {}, .max_samples = 1});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kLimit);
}

}  // namespace
}  // namespace firstword::store
