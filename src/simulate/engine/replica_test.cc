#include "simulate/engine/replica.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "simulate/engine/test_engine.h"

namespace firstword::simulate {
namespace {

const RequestRecord& RecordOf(const Recorded& recorded, RequestId id) {
  return *std::ranges::find(recorded.finished, id, &RequestRecord::id);
}

TEST(ReplicaTest, EndsByItselfOrByTheLimit) {
  Recorded recorded;
  Replica replica(PlainConfig(), 1, recorded);
  Request limited = PlainRequest(1, 100, 50);
  limited.max_tokens = 20;
  const RequestId stop = replica.Submit(PlainRequest(2, 100, 30), SimTime{});
  const RequestId length = replica.Submit(limited, SimTime{});
  Drain(replica);
  EXPECT_EQ(RecordOf(recorded, stop).outcome, Outcome::kStop);
  EXPECT_EQ(RecordOf(recorded, stop).output_tokens, 30u);
  EXPECT_EQ(RecordOf(recorded, length).outcome, Outcome::kLength);
  EXPECT_EQ(RecordOf(recorded, length).output_tokens, 20u);
}

TEST(ReplicaTest, ALongAnswerEndsAtTheModelsLength) {
  Recorded recorded;
  EngineConfig config = PlainConfig();
  config.kv_blocks = 10;
  Replica replica(config, 1, recorded);
  ASSERT_EQ(replica.max_model_len(), 160u);
  replica.Submit(PlainRequest(1, 100, 5000), SimTime{});
  Drain(replica);
  EXPECT_EQ(recorded.finished[0].output_tokens, 60u);
  EXPECT_EQ(recorded.finished[0].outcome, Outcome::kLength);
}

TEST(ReplicaTest, ASharedPrefixIsComputedOnce) {
  Recorded recorded;
  Replica replica(PlainConfig(), 1, recorded);
  Request request;
  request.prompt = {{.text = 1, .tokens = 4000}, {.text = 2, .tokens = 96}};
  const RequestId cold = replica.Submit(request, SimTime{});
  Drain(replica);
  request.prompt[1].text = 3;
  const RequestId warm = replica.Submit(request, FromSeconds(10));
  Drain(replica);
  EXPECT_EQ(RecordOf(recorded, cold).cached_tokens, 0u);
  EXPECT_EQ(RecordOf(recorded, warm).cached_tokens, 4000u);
  EXPECT_LT(RecordOf(recorded, warm).prefill() * 5, RecordOf(recorded, cold).prefill());
}

TEST(ReplicaTest, ANextTurnFindsTheAnswerOfTheLastInTheCache) {
  Recorded recorded;
  Replica replica(PlainConfig(), 1, recorded);
  replica.Submit(PlainRequest(9, 200, 100), SimTime{});
  Drain(replica);
  const RequestId turn2 = replica.Submit(PlainRequest(9, 350, 10), FromSeconds(10));
  Drain(replica);
  // 299 tokens were computed: 18 full blocks.
  EXPECT_EQ(RecordOf(recorded, turn2).cached_tokens, 288u);
}

TEST(ReplicaTest, ChunksLetOthersDecodeAndWholePromptsStallThem) {
  const auto longest_gap = [](Mixing mixing, std::uint32_t budget) {
    Recorded recorded;
    EngineConfig config = PlainConfig();
    config.mixing = mixing;
    config.max_num_batched_tokens = budget;
    config.chunked_prefill = mixing == Mixing::kMixed;
    Replica replica(config, 1, recorded);
    Request chat = PlainRequest(1, 50, 400);
    chat.watched = true;
    const RequestId id = replica.Submit(chat, SimTime{});
    for (std::uint64_t i = 0; i < 5; ++i) {
      replica.Submit(PlainRequest(10 + i, 20'000, 5), FromSeconds(0.5));
    }
    Drain(replica);
    SimTime longest{};
    const std::vector<SimTime>& seen = recorded.seen_at[id];
    for (std::size_t i = 1; i < seen.size(); ++i)
      longest = std::max(longest, seen[i] - seen[i - 1]);
    return Seconds(longest);
  };
  const double small = longest_gap(Mixing::kMixed, 512);
  const double large = longest_gap(Mixing::kMixed, 8192);
  const double whole = longest_gap(Mixing::kPrefillFirst, 32'768);
  EXPECT_LT(small, 0.04);
  EXPECT_GT(large, 2 * small);
  EXPECT_GT(whole, 0.5) << "prompts first: the chat waits for all of them";
}

TEST(ReplicaTest, UrgentRequestsOvertake) {
  Recorded recorded;
  EngineConfig config = PlainConfig();
  config.max_num_seqs = 1;
  config.priority_scheduling = true;
  Replica replica(config, 1, recorded);
  replica.Submit(PlainRequest(1, 10, 200), SimTime{});
  const RequestId later = replica.Submit(PlainRequest(2, 10, 10), FromSeconds(0.1));
  Request urgent = PlainRequest(3, 10, 10);
  urgent.priority = -1;
  const RequestId first = replica.Submit(urgent, FromSeconds(0.2));
  Drain(replica);
  EXPECT_LT(RecordOf(recorded, first).scheduled, RecordOf(recorded, later).scheduled);
}

TEST(ReplicaTest, SpeculationGivesSeveralTokensAStep) {
  Recorded recorded;
  EngineConfig config = PlainConfig();
  config.speculation = {.draft_tokens = 4, .acceptance = 0.75};
  Replica replica(config, 1, recorded);
  replica.Submit(PlainRequest(1, 100, 4000), SimTime{});
  Drain(replica);
  // 1 + 0.75 + 0.75^2 + 0.75^3 + 0.75^4 tokens a step.
  EXPECT_NEAR(4000.0 / static_cast<double>(recorded.steps), 3.05, 0.15);
  EXPECT_NEAR(static_cast<double>(recorded.accepted) / static_cast<double>(recorded.speculated),
              2.05, 0.15);
  EXPECT_EQ(recorded.drafted, 4 * recorded.speculated);
  EXPECT_EQ(recorded.finished[0].output_tokens, 4000u);
}

TEST(ReplicaTest, AStuckEngineTakesRequestsAndGivesNothing) {
  Recorded recorded;
  Replica replica(PlainConfig(), 1, recorded);
  replica.Submit(PlainRequest(1, 100, 100), SimTime{});
  replica.AdvanceTo(FromSeconds(0.1));
  replica.Impair({.stuck = true}, FromSeconds(0.1));
  replica.Submit(PlainRequest(2, 100, 100), FromSeconds(0.2));
  replica.AdvanceTo(FromSeconds(60));
  EXPECT_EQ(recorded.finished.size(), 0u);
  EXPECT_EQ(replica.open_requests(), 2u);
  EXPECT_EQ(recorded.last.running, 1u) << "as published last";
  replica.Impair({}, FromSeconds(60));
  Drain(replica);
  EXPECT_EQ(recorded.finished.size(), 2u);
  EXPECT_GT(Seconds(RecordOf(recorded, 2).queue()), 59);
}

TEST(ReplicaTest, AfterAMassAbortNothingIsPublished) {
  Recorded recorded;
  Replica replica(PlainConfig(), 1, recorded);
  for (std::uint64_t i = 0; i < 5; ++i) replica.Submit(PlainRequest(i, 100, 1000), SimTime{});
  replica.AdvanceTo(FromSeconds(1));
  replica.AbortAll(FromSeconds(1));
  Drain(replica);
  EXPECT_EQ(recorded.finished.size(), 5u);
  EXPECT_TRUE(recorded.last_step.silent);
  EXPECT_EQ(replica.state(0).free_blocks, replica.state(0).blocks);
}

TEST(ReplicaTest, ASlowHostLimitsAFastGpu) {
  const auto run = [](double factor) {
    Recorded recorded;
    Replica replica(PlainConfig(), 1, recorded);
    replica.Impair({.host_factor = factor}, SimTime{});
    replica.Submit(PlainRequest(1, 100, 500), SimTime{});
    return std::pair(Seconds(Drain(replica)), recorded.gpu_seconds);
  };
  const auto [usual, usual_gpu] = run(1);
  const auto [slow, slow_gpu] = run(30);
  EXPECT_GT(usual_gpu / usual, 0.95);
  EXPECT_GT(slow, 4 * usual);
  EXPECT_LT(slow_gpu / slow, 0.3);
}

TEST(ReplicaTest, RanksShareTheLoadUntilTheyDoNot) {
  const auto on_rank0 = [](double skew) {
    Recorded recorded;
    EngineConfig config = PlainConfig();
    config.data_parallel = 4;
    Replica replica(config, 1, recorded);
    replica.Impair({.rank_skew = skew}, SimTime{});
    for (std::uint64_t i = 0; i < 80; ++i) replica.Submit(PlainRequest(i, 100, 200), SimTime{});
    Drain(replica);
    return std::ranges::count(recorded.finished, 0u, &RequestRecord::rank);
  };
  EXPECT_EQ(on_rank0(0), 20);
  EXPECT_GE(on_rank0(0.8), 64);
}

}  // namespace
}  // namespace firstword::simulate
