#include "simulate/pages/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "dialect/catalog.h"
#include "simulate/pages/test_pages.h"

namespace firstword::simulate {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;

// A page with one histogram of each kind that differs in its bounds' unit.
dialect::PageSpec Page(bool gauges_with_output = false) {
  dialect::PageSpec page{.version = "1.0", .gauges_with_output = gauges_with_output};
  page.histograms = {{"itl", "", {0.01, 0.02, 0.05}},
                     {"itl", "ms", {10, 20}},
                     {"e2e", "", {1}},
                     {"e2e.with_aborts", "", {1}}};
  return page;
}

double Read(const Recorder& recorder, const std::string& name, std::uint32_t rank = 0) {
  const Quantity* quantity = FindQuantity(name);
  EXPECT_NE(quantity, nullptr) << name;
  return quantity == nullptr ? 0 : quantity->read({recorder, rank, kTestNow});
}

TEST(RecorderTest, CountsInTheBucketsOfThePage) {
  Recorder recorder(Page(), TestFacts(Page(), 2));
  recorder.OnGap(1, milliseconds(10), 3, 3);
  recorder.OnGap(1, milliseconds(11), 2, 2);
  recorder.OnGap(1, milliseconds(60), 1, 1);
  recorder.OnGap(1, milliseconds(5), 1, 1);
  EXPECT_THAT(recorder.buckets(1, 0), ElementsAre(4, 2, 0, 1));
  EXPECT_THAT(recorder.buckets(1, 1), ElementsAre(4, 2, 1));
  EXPECT_THAT(recorder.buckets(0, 0), ElementsAre(0, 0, 0, 0));
  EXPECT_EQ(Read(recorder, "itl.count", 1), 7);
  EXPECT_NEAR(Read(recorder, "itl.sum", 1), 0.117, 1e-12);
}

TEST(RecorderTest, SharesAGapOutOverItsTokens) {
  Recorder recorder(Page(), TestFacts(Page()));
  recorder.OnGap(0, milliseconds(30), 2, 6);
  EXPECT_EQ(Read(recorder, "itl.count"), 2);
  EXPECT_EQ(Read(recorder, "itl.per_token.count"), 6);
  EXPECT_NEAR(Read(recorder, "itl.per_token.sum"), 0.06, 1e-12);
  EXPECT_EQ(Read(recorder, "generation_tokens"), 6);
}

TEST(RecorderTest, AbortedRequestsAreOnlyInTheTwins) {
  Recorder recorder(Page(), TestFacts(Page()));
  LiveThrough(recorder, TestRequest(Outcome::kStop, 100, 11, true));
  LiveThrough(recorder, TestRequest(Outcome::kAbort, 50, 5, true));
  RequestRecord queued{.outcome = Outcome::kAbort, .arrived = milliseconds(5), .prompt_tokens = 7};
  recorder.OnArrived(1, {}, queued.arrived);
  recorder.OnFinished(queued);
  EXPECT_THAT(recorder.buckets(0, 2), ElementsAre(1, 0));
  EXPECT_THAT(recorder.buckets(0, 3), ElementsAre(3, 0));
  EXPECT_EQ(Read(recorder, "finished"), 1);
  EXPECT_EQ(Read(recorder, "finished.abort"), 2);
  EXPECT_EQ(Read(recorder, "ended"), 3);
  EXPECT_EQ(Read(recorder, "ttft.count"), 2);
  EXPECT_EQ(Read(recorder, "prompt_tokens"), 150);
  EXPECT_EQ(Read(recorder, "finished.prompt_tokens"), 100);
  EXPECT_EQ(Read(recorder, "generation_tokens"), 16);
  EXPECT_EQ(Read(recorder, "finished.generation_tokens"), 11);
  EXPECT_EQ(Read(recorder, "http.active"), 0);
  EXPECT_EQ(Read(recorder, "http.2xx"), 3);
  EXPECT_NEAR(Read(recorder, "tpot.sum"), 0.01, 1e-12);
}

TEST(RecorderTest, GaugesAreThoseOfTheLastStep) {
  for (const bool with_output : {false, true}) {
    Recorder recorder(Page(with_output), TestFacts(Page()));
    EXPECT_EQ(Read(recorder, "kv.blocks"), 4000);
    EXPECT_EQ(Read(recorder, "kv.free_blocks"), 4000);
    EXPECT_EQ(Read(recorder, "kv.usage"), 0);
    StepReport step{.end = milliseconds(20)};
    recorder.OnStep(step, {.running = 3, .blocks = 4000, .free_blocks = 1000});
    EXPECT_EQ(Read(recorder, "kv.usage"), 0.75);
    step.begin = milliseconds(20);
    step.end = milliseconds(30);
    step.silent = true;
    recorder.OnStep(step, {.running = 0, .blocks = 4000, .free_blocks = 4000});
    EXPECT_EQ(Read(recorder, "running"), with_output ? 3 : 0);
    EXPECT_EQ(Read(recorder, "steps"), 2);
  }
}

TEST(RecorderTest, LooksUpPrefixesOnlyWhereTheyAreCached) {
  for (const bool caching : {false, true}) {
    ReplicaFacts facts = TestFacts(Page());
    facts.prefix_caching = caching;
    Recorder recorder(Page(), facts);
    recorder.OnScheduled({.prompt_tokens = 100, .cached_tokens = 48});
    recorder.OnStep({.end = milliseconds(1)}, {});
    EXPECT_EQ(Read(recorder, "prefix.queries"), caching ? 100 : 0);
    EXPECT_EQ(Read(recorder, "prefix.hit_blocks"), caching ? 3 : 0);
    EXPECT_EQ(Read(recorder, "cache_hit_rate"), caching ? 0.48 : 0);
  }
}

TEST(RecorderTest, MeasuresThroughputOverTheLastSecond) {
  Recorder recorder(Page(), TestFacts(Page()));
  SimTime now = milliseconds(5000);
  for (int i = 0; i < 150; ++i) {
    recorder.OnGap(0, milliseconds(10), 4, 4);
    recorder.OnStep({.begin = now, .end = now + milliseconds(10)}, {});
    now += milliseconds(10);
  }
  EXPECT_NEAR(Read(recorder, "gen_throughput"), 400, 5);
  // After a pause, not watered down by it.
  now += milliseconds(60'000);
  for (int i = 0; i < 120; ++i) {
    recorder.OnGap(0, milliseconds(10), 1, 1);
    recorder.OnStep({.begin = now, .end = now + milliseconds(10)}, {});
    now += milliseconds(10);
  }
  EXPECT_NEAR(Read(recorder, "gen_throughput"), 100, 5);
}

TEST(RecorderTest, CountsDrafts) {
  Recorder recorder(Page(), TestFacts(Page()));
  const std::uint32_t accepted[] = {4, 3, 1};
  recorder.OnSpeculation(0, 5, 15, accepted);
  EXPECT_EQ(Read(recorder, "spec.accepted_tokens"), 8);
  EXPECT_EQ(Read(recorder, "spec.accepted.1"), 3);
  EXPECT_EQ(Read(recorder, "spec.accepted.3"), 0);
  EXPECT_EQ(Read(recorder, "spec.accept_length"), 2.6);
  EXPECT_EQ(Read(recorder, "spec.draft_length"), 3);
}

TEST(RecorderTest, CountsWhatTheFrontEndRefused) {
  Recorder recorder(Page(), TestFacts(Page(), 2));
  for (const int status : {200, 404, 429, 503, 500}) recorder.CountHttp(status, 10, 2);
  EXPECT_EQ(Read(recorder, "rejected"), 2);
  EXPECT_EQ(Read(recorder, "rejected", 1), 0);
  EXPECT_EQ(Read(recorder, "http.2xx"), 1);
  EXPECT_EQ(Read(recorder, "http.4xx"), 2);
  EXPECT_EQ(Read(recorder, "http.5xx"), 2);
  EXPECT_EQ(Read(recorder, "http.request_bytes"), 50);
}

TEST(QuantitiesTest, AreNamedOnceInKnownUnitsAndCanBeRead) {
  Recorder recorder(Page(), TestFacts(Page()));
  std::set<std::string_view> names;
  for (const Quantity* quantity : AllQuantities()) {
    EXPECT_TRUE(names.insert(quantity->name).second) << quantity->name;
    EXPECT_TRUE(dialect::IsUnit(quantity->unit)) << quantity->name;
    EXPECT_FALSE(quantity->help.empty()) << quantity->name;
    EXPECT_EQ(FindQuantity(quantity->name), quantity);
    if (quantity->read != nullptr) EXPECT_GE(quantity->read({recorder, 0, kTestNow}), 0);
    EXPECT_EQ(quantity->read_gpu != nullptr, quantity->scope == Scope::kGpu) << quantity->name;
  }
  names.clear();
  for (const DistributionInfo* info : AllDistributions()) {
    EXPECT_TRUE(names.insert(info->name).second) << info->name;
    EXPECT_TRUE(dialect::IsUnit(info->unit)) << info->name;
    EXPECT_EQ(&InfoOf(*FindDistribution(info->name)), info);
  }
  EXPECT_EQ(FindDistribution("e2e.with_aborts"), WithAborts(Distribution::kE2e));
  EXPECT_EQ(FindDistribution("preemptions_per_request.with_aborts"),
            WithAborts(Distribution::kPreemptionsPerRequest));
  EXPECT_EQ(FindQuantity("e2e"), nullptr);
  EXPECT_EQ(FindDistribution("running"), std::nullopt);
}

}  // namespace
}  // namespace firstword::simulate
