#include <gtest/gtest.h>

#include "signals/test_scene.h"
#include "signals/value.h"

namespace firstword::signals {
namespace {

// testdata/read_signals.scene: rows at 0, 15, 30 and 45 s. Two ranks, a restart of rank 1
// between 15 and 30 s, KV usage renamed at 30 s, one counter that ends at 30 s.
class ReadSignalsTest : public testing::Test {
 protected:
  ReplicaSignals Read(int from, int to) {
    const promql::TimeRange window{.after = Scene::kBase + from * 1000 - 1,
                                   .until = Scene::kBase + to * 1000};
    const auto replicas = ReadSignals(scene_.source(), window);
    EXPECT_TRUE(replicas) << replicas.error().ToString();
    EXPECT_EQ(replicas->size(), 1u);
    return replicas->front();
  }

  Scene scene_{SignalsTestData() / "read_signals.scene"};
};

TEST_F(ReadSignalsTest, DescribesTheReplica) {
  const ReplicaSignals replica = Read(0, 45);
  EXPECT_EQ(replica.key, (promql::Labels{{"job", "test"}, {"instance", "e1"}}));
  EXPECT_EQ(replica.labels, (promql::Labels{{"backend", "toy"}, {"model", "m"}}));
  EXPECT_EQ(replica.rows, 4u);
  EXPECT_EQ(replica.from, Scene::kBase);
  EXPECT_EQ(replica.until, Scene::kBase + 45000);
  EXPECT_EQ(replica.Find("llm:e2e_seconds"), nullptr) << "absent is absent";
}

TEST_F(ReadSignalsTest, CombinesRanksByTheirRule) {
  const ReplicaSignals replica = Read(0, 45);
  const SignalValue& running = *replica.Find("llm:requests_running");
  EXPECT_EQ(running.value, 7);
  ASSERT_EQ(running.by.size(), 2u);
  EXPECT_EQ(running.by[0].labels, (promql::Labels{{"rank", "0"}}));
  const SignalValue& usage = *replica.Find("llm:kv_cache_usage_ratio");
  EXPECT_EQ(usage.value, 0.75);
  EXPECT_EQ(usage.mean, 0.5);
  EXPECT_EQ(usage.source, std::vector<std::string>{"toy:kv_usage"});
  EXPECT_EQ(Read(0, 15).Find("llm:kv_cache_usage_ratio")->source,
            std::vector<std::string>{"toy:gpu_kv_usage"});
}

TEST_F(ReadSignalsTest, CountsOverARestartOfOneRank) {
  const ReplicaSignals replica = Read(0, 45);
  const SignalValue& tokens = *replica.Find("llm:generation_tokens_total");
  EXPECT_EQ(tokens.increase, 300 + (100 + 20 + 80));
  EXPECT_EQ(tokens.rate, 500 / 45.0);
  EXPECT_EQ(tokens.value, 1300 + 100);
  EXPECT_TRUE(tokens.reset);
  EXPECT_FALSE(Read(0, 15).Find("llm:generation_tokens_total")->reset);
}

TEST_F(ReadSignalsTest, OneRowIsALifetime) {
  const ReplicaSignals replica = Read(45, 45);
  EXPECT_EQ(replica.Find("llm:generation_tokens_total")->increase, std::nullopt);
  const SignalValue& ttft = *replica.Find("llm:ttft_seconds");
  EXPECT_TRUE(ttft.lifetime);
  EXPECT_EQ(ttft.histogram->count(), 24 + 6);
  EXPECT_EQ(ttft.population, "first_token");
}

TEST_F(ReadSignalsTest, HistogramsRestartAsOne) {
  const ReplicaSignals replica = Read(0, 45);
  const SignalValue& ttft = *replica.Find("llm:ttft_seconds");
  EXPECT_FALSE(ttft.lifetime);
  EXPECT_TRUE(ttft.reset);
  EXPECT_EQ(ttft.histogram->count(), 14 + (10 + 6));
  EXPECT_EQ(ttft.histogram->CountAbove(1), (Interval{2 + 1, 2 + 1}));
  EXPECT_EQ(ttft.by.size(), 2u);
}

TEST_F(ReadSignalsTest, AWindowWithoutObservationsIsEmptyNotALifetime) {
  const ReplicaSignals replica = Read(30, 45);
  const SignalValue& ttft = *replica.Find("llm:ttft_seconds");
  EXPECT_FALSE(ttft.lifetime);
  EXPECT_EQ(ttft.histogram->count(), 0);
  EXPECT_EQ(ttft.histogram->Quantile(0.5), std::nullopt);
}

TEST_F(ReadSignalsTest, AnEndedSeriesHasNoValueButItsIncrease) {
  const ReplicaSignals replica = Read(0, 45);
  const SignalValue& preemptions = *replica.Find("llm:preemptions_total");
  EXPECT_EQ(preemptions.value, std::nullopt);
  EXPECT_EQ(preemptions.increase, 2);
  EXPECT_EQ(preemptions.newest, Scene::kBase + 15000);
}

TEST_F(ReadSignalsTest, KeepsLabelsOfASignalApart) {
  const ReplicaSignals replica = Read(0, 45);
  const SignalValue& finished = *replica.Find("llm:requests_total");
  EXPECT_EQ(finished.value, 9);
  ASSERT_EQ(finished.by.size(), 2u);
  double stop = 0;
  for (const LabelledValue& one : finished.by) {
    if (one.labels.Get("outcome") == "stop") stop = one.value.value_or(-1);
  }
  EXPECT_EQ(stop, 8);
}

}  // namespace
}  // namespace firstword::signals
