#include "dialect/canonical_source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "dialect/canonical_names.h"
#include "dialect/fake_source.h"
#include "dialect/label_rules.h"
#include "dialect/part_rows.h"
#include "dialect/test_files.h"

// What the scripts in testdata/ cannot say.

namespace firstword::dialect {
namespace {

using promql::Labels;
using promql::SelectRequest;

class CanonicalSourceTest : public testing::Test {
 protected:
  CanonicalSourceTest() {
    const std::string yaml = ReadTestFile(TestDataDir() / "detect_engine.yaml");
    EXPECT_TRUE(registry_.AddYaml(yaml, "detect_engine.yaml"));
    for (const std::string instance : {"a:1", "b:1"}) {
      raw_.AddTarget(std::make_shared<const Labels>(Labels{{"job", "j"}, {"instance", instance}}),
                     {10, 20});
      raw_.AddSeries({{"__name__", "eng:running"}}, {1, 2});
      raw_.AddSeries({{"__name__", "eng:ttft_v3_count"}}, {5, 6});
      for (const std::string le : {"1", "2", "+Inf"}) {
        raw_.AddSeries({{"__name__", "eng:ttft_v3_bucket"}, {"le", le}}, {3, 4});
      }
    }
  }

  // Names of the selected series, sorted, or the error.
  std::string Names(std::string_view selector, std::size_t max_samples = 1000) {
    const auto matchers = promql::ParseSelector(selector).value();
    SelectRequest request;
    request.matchers = matchers;
    request.max_samples = max_samples;
    const auto groups = source_.Select(request);
    if (!groups) return groups.error().ToString();
    std::vector<std::string> names;
    for (const promql::ColumnGroup& group : *groups) {
      for (const promql::Column& column : group.columns) {
        EXPECT_EQ(column.values.size(), group.times->size());
        names.emplace_back(column.labels->metric_name());
      }
    }
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    std::string out;
    for (const std::string& name : names) out += name + " ";
    return out;
  }

  Registry registry_ = EmptyRegistry();
  FakeSource raw_;
  CanonicalSource source_{raw_, registry_};
};

TEST_F(CanonicalSourceTest, AnswersCanonicalNamesAndHandsOnTheRest) {
  auto f = [&](std::string_view selector, std::string_view want) {
    EXPECT_EQ(Names(selector), want) << selector;
  };
  f("llm:requests_running", "llm:requests_running ");
  f("eng:running", "eng:running ");
  f("{job=\"j\",__name__=~\"eng:r.*\"}", "eng:running ");
  f("llm:unheard_of", "");
  f("llm:ttft_seconds", "");
  f("{__name__=~\"llm:.*\"}",
    "llm:requests_running llm:ttft_seconds_bucket llm:ttft_seconds_count ");
  f("{__name__=~\"^llm:.*\"}",
    "llm:requests_running llm:ttft_seconds_bucket llm:ttft_seconds_count ");
  f("{__name__=~\"llm:ttft_seconds_(sum|count)\"}", "llm:ttft_seconds_count ");
  f("{__name__=~\"llm:requests_running|llm:ttft_seconds_count\"}",
    "llm:requests_running llm:ttft_seconds_count ");
  f("{__name__=~\"llm:.*\",__name__!~\".*bucket\"}",
    "llm:requests_running llm:ttft_seconds_count ");
  // Not with a family's literal beginning in every branch: the raw source's.
  f("{__name__=~\"llm:requests_running|eng:running\"}", "eng:running ");
  f("{__name__=~\".*requests_running\"}", "");
  f("{__name__=~\"(llm:requests_running)\"}", "");
  f("{__name__=~\"llm:?.*\"}", "");
  f("{__name__!~\"llm:.*\"}", "eng:running eng:ttft_v3_bucket eng:ttft_v3_count ");
}

TEST_F(CanonicalSourceTest, ResolveWantsCanonicalNames) {
  const auto matchers = promql::ParseSelector("eng:running").value();
  SelectRequest request;
  request.matchers = matchers;
  const auto groups = source_.Resolve(request);
  ASSERT_FALSE(groups);
  EXPECT_EQ(groups.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(groups.error().ToString(),
            "the selection does not name canonical series (select by __name__ with a name that "
            "begins with llm:, gpu: or gateway:)");
}

TEST_F(CanonicalSourceTest, FetchesNoMoreThanNeeded) {
  auto f = [&](std::string_view selector, std::size_t samples) {
    FakeSource& raw = raw_;
    const std::size_t before = raw.samples();
    Names(selector);
    EXPECT_EQ(raw.samples() - before, samples) << selector;
  };
  f("llm:requests_running", 4);
  f("llm:requests_running{instance=\"a:1\"}", 2);
  // Of the buckets only +Inf: it tells that the histogram is there.
  f("llm:ttft_seconds_count", 8);
  f("llm:ttft_seconds_bucket", 16);
}

TEST_F(CanonicalSourceTest, HonoursTheLimitAndTheStop) {
  EXPECT_EQ(Names("llm:ttft_seconds_bucket", 16), "llm:ttft_seconds_bucket ");
  EXPECT_EQ(Names("llm:ttft_seconds_bucket", 15), "too many samples");
  const auto matchers = promql::ParseSelector("llm:requests_running").value();
  std::stop_source stop;
  stop.request_stop();
  SelectRequest request;
  request.matchers = matchers;
  request.stop = stop.get_token();
  const auto groups = source_.Select(request);
  ASSERT_FALSE(groups);
  EXPECT_EQ(groups.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(groups.error().message, "the request was cancelled");
}

TEST(RawPageTest, JoinsColumnsOfDifferentTimes) {
  using Times = std::vector<TimestampMs>;
  const auto labels = [](std::string name) {
    return std::make_shared<const Labels>(Labels{{"__name__", std::move(name)}});
  };
  RawPage page(nullptr);
  page.Add(std::make_shared<const Times>(Times{10, 30}), {labels("a"), {1, 3}});
  page.Add(std::make_shared<const Times>(Times{20, 30}), {labels("b"), {2, 3}});
  page.Add(std::make_shared<const Times>(Times{20}), {labels("a"), {2}});
  EXPECT_EQ(*page.times(), (Times{10, 20, 30}));
  EXPECT_EQ(page.Named("a")[0]->values, (std::vector<double>{1, 2, 3}));
  const std::vector<double>& b = page.Named("b")[0]->values;
  EXPECT_FALSE(promql::IsSample(b[0]));
  EXPECT_EQ(b[2], 3);
  EXPECT_TRUE(page.Named("c").empty());
}

TEST(AddressTest, ReadsWhatExportersWrite) {
  auto f = [](std::string_view text, std::string_view want) { EXPECT_EQ(AddressOf(text), want); };
  f("http_//10.0.0.7_30000", "10.0.0.7:30000");
  f("http://h:1/", "h:1");
  f("grpc://h:1/path/x", "h:1");
  f("h:1", "h:1");
  f("my_host", "my_host");
  f("my_host_80", "my_host:80");
  f("", "");
}

TEST(BoundTest, HasOneTextForOneNumber) {
  auto f = [](double bound, std::string_view want) { EXPECT_EQ(BoundText(bound), want); };
  f(1, "1");
  f(0.1, "0.1");
  f(0.005, "0.005");
  f(1e-5, "1e-05");
  f(1000000, "1000000");
  f(std::numeric_limits<double>::infinity(), "+Inf");
}

}  // namespace
}  // namespace firstword::dialect
