#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "exposition/page_dump.h"
#include "exposition/parser.h"

namespace firstword::exposition {
namespace {

namespace fs = std::filesystem;

TEST(ReparseTest, LayoutIdChangesWithTheSeriesOnly) {
  PageParser parser;
  const auto id = [&](std::string_view body) {
    EXPECT_TRUE(parser.Parse(body, Format::kText));
    return parser.page().layout_id();
  };
  const std::uint64_t first = id("# HELP a one\na 1\nb 2\n");
  EXPECT_NE(first, 0u);
  EXPECT_EQ(id("# HELP a one\na 10\nb 2\n"), first);
  EXPECT_EQ(id("# HELP a two\na 10\nb 2\n"), first) << "help text is not layout";
  EXPECT_EQ(parser.page().families()[0].help, "two");
  EXPECT_EQ(id("a 10 1700000000000\nb 2\n"), first) << "nor are timestamps";
  EXPECT_FALSE(parser.Parse("<html>", Format::kText));
  EXPECT_EQ(id("a 10\nb 2\n"), first) << "a failure between does not matter";
  const std::uint64_t second = id("b 2\na 1\n");
  EXPECT_NE(second, first);
  EXPECT_NE(id("b 2\na 1\nc 1\n"), second);
  PageParser other;
  ASSERT_TRUE(other.Parse("b 2\na 1\nc 1\n", Format::kText));
  EXPECT_NE(other.page().layout_id(), parser.page().layout_id());
}

TEST(ReparseTest, FollowsTheFormat) {
  PageParser parser;
  const std::string body = "a_total 1 1700000000\n# EOF\n";
  ASSERT_TRUE(parser.Parse(body, Format::kText));
  EXPECT_EQ(parser.page().timestamps()[0], 1'700'000'000);
  ASSERT_TRUE(parser.Parse(body, Format::kOpenMetrics));
  EXPECT_EQ(parser.page().timestamps()[0], 1'700'000'000'000);
}

// Consecutive pages of a made-up target, each a small change of the last one.
class ChangingPage {
 public:
  ChangingPage(unsigned seed, Format format) : random_(seed), format_(format) {
    for (std::size_t i = 0; i < 30; ++i) lines_.push_back(NewLine());
  }

  std::string Next();

 private:
  struct Line {
    std::string before, series, number, rest, end;
  };

  std::size_t Pick(std::size_t n) { return random_() % n; }
  std::ptrdiff_t Offset() { return static_cast<std::ptrdiff_t>(Pick(lines_.size())); }
  template <typename T>
  auto& Any(T& list) {
    return list[Pick(list.size())];
  }

  Line NewLine() {
    static const std::vector<std::string> kSeries = {"a",
                                                     "a_total{l=\"x\"}",
                                                     "h_bucket{le=\"1.0\"}",
                                                     "h_bucket{le=\"+Inf\"}",
                                                     "h_count",
                                                     "g{l=\"q\\\"\\\\\\n\"}",
                                                     "g{l=\"two\nlines\",m=\"\"}",
                                                     "{\"dotted.name\",l=\"\xc3\xa4\"}",
                                                     "g{l=\"x\" m=\"y\"}",
                                                     "damaged{",
                                                     "g{l=\"never closed}"};
    std::string series = Any(kSeries);
    if (Pick(2) == 0 && !series.ends_with('}')) series += std::to_string(Pick(20));
    return {Before(), series + " ", Number(), Rest(), Pick(15) == 0 ? "\r\n" : "\n"};
  }
  std::string Before() {
    static const std::vector<std::string> kBefore = {
        "# TYPE a counter\n", "# TYPE h histogram\n",
        "# HELP g words\n",   "# HELP g other \\n words\n",
        "# UNIT g words\n",   "# TYPE g wrong\n",
        "# remark\n",         "\n"};
    return Pick(3) == 0 ? Any(kBefore) : "";
  }
  std::string Number() {
    static const std::vector<std::string> kNumbers = {
        "0",    "1",     "12",      "1.5",   "1e9", "NaN",
        "+Inf", "-nan",  "0.00025", "1e999", "",    "917.2641437053685",
        "true", "1\x80", "1e-330",  "4.0",   "4.",  "123456789012345678901234567890"};
    return Pick(12) == 0 ? Any(kNumbers) : std::to_string(Pick(3000));
  }
  std::string Rest() {
    static const std::vector<std::string> kRest = {
        " 17", " 18.5", " -17 ", " x", " # {id=\"1\"} 2", " # {id=\"2\"} 2 3", "\t"};
    return Pick(6) == 0 ? Any(kRest) : "";
  }

  std::mt19937 random_;
  const Format format_;
  std::vector<Line> lines_;
};

std::string ChangingPage::Next() {
  for (std::size_t k = Pick(4); k > 0; --k) Any(lines_).number = Number();
  if (Pick(4) == 0) Any(lines_).rest = Rest();
  if (Pick(8) == 0) std::swap(Any(lines_), Any(lines_));
  if (Pick(8) == 0) lines_.insert(lines_.begin() + Offset(), NewLine());
  if (Pick(8) == 0 && lines_.size() > 20) lines_.erase(lines_.begin() + Offset());
  if (Pick(10) == 0) Any(lines_).before = Before();
  std::string page;
  for (const Line& line : lines_) {
    page += line.before + line.series + line.number + line.rest + line.end;
  }
  if (format_ == Format::kOpenMetrics && Pick(6) > 0) page += "# EOF\n";
  if (Pick(20) == 0) page.resize(Pick(page.size()));
  return page;
}

TEST(ReparseTest, ReadsAsAFreshParserDoes) {
  int same_layouts = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const Mode mode = seed % 2 == 0 ? Mode::kTolerant : Mode::kStrict;
    const Format format = seed % 4 < 2 ? Format::kText : Format::kOpenMetrics;
    ChangingPage pages(seed, format);
    PageParser parser({.mode = mode, .max_faults = 8});
    for (int round = 0; round < 150; ++round) {
      const std::string body = pages.Next();
      const std::uint64_t layout = parser.page().layout_id();
      const std::string before = DumpPage(parser.page(), DumpLines::kYes);
      PageParser fresh({.mode = mode, .max_faults = 8});
      const Result<void> want = fresh.Parse(body, format);
      const Result<void> got = parser.Parse(body, format);
      ASSERT_EQ(got.has_value(), want.has_value()) << body;
      const std::string after = DumpPage(parser.page(), DumpLines::kYes);
      if (!want) {
        ASSERT_EQ(got.error().ToString(), want.error().ToString());
        ASSERT_EQ(after, before);
        ASSERT_EQ(parser.page().layout_id(), layout);
        continue;
      }
      ASSERT_EQ(after, DumpPage(fresh.page(), DumpLines::kYes)) << body;
      same_layouts += parser.page().layout_id() == layout;
    }
  }
  EXPECT_GT(same_layouts, 1000) << "the pages should often keep their layout";
}

// Real pages, with all their numbers replaced by others.
TEST(ReparseTest, ReadsRealPagesAsAFreshParserDoes) {
  const fs::path captures = FIRSTWORD_SOURCE_DIR "/../shared/captures";
  if (!fs::exists(captures)) GTEST_SKIP() << "the shared captures are not beside the project";
  for (const fs::directory_entry& entry : fs::directory_iterator(captures)) {
    if (entry.path().extension() != ".prom") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string body{std::istreambuf_iterator<char>(file), {}};
    std::string changed = body;
    for (std::size_t at = changed.find('\n'); at != std::string::npos && at > 0;
         at = changed.find('\n', at + 3)) {
      if (changed[at - 1] >= '0' && changed[at - 1] <= '9') changed.insert(at, "25");
    }
    PageParser parser;
    ASSERT_TRUE(parser.Parse(body, Format::kText)) << entry.path();
    EXPECT_EQ(parser.page().fault_count(), 0u) << entry.path();
    EXPECT_FALSE(parser.page().series().empty()) << entry.path();
    PageParser fresh;
    ASSERT_TRUE(fresh.Parse(changed, Format::kText)) << entry.path();
    ASSERT_TRUE(parser.Parse(changed, Format::kText)) << entry.path();
    EXPECT_EQ(DumpPage(parser.page()), DumpPage(fresh.page())) << entry.path();
  }
}

}  // namespace
}  // namespace firstword::exposition
