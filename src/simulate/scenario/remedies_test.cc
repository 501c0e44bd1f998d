// The true shape of a scenario is true: what would cure it does, and what would cure another
// one with like symptoms does not.

#include <gtest/gtest.h>

#include "simulate/scenario/scenarios.h"
#include "simulate/scenario/test_presets.h"
#include "simulate/scenario/test_stage.h"

namespace firstword::simulate {
namespace {

Scenario Builtin(std::string_view name) {
  Result<Scenario> scenario = FindScenario(name, BuiltinPresets());
  EXPECT_TRUE(scenario) << scenario.error().ToString();
  return std::move(*scenario);
}

// From half a minute after the onset to the end, with the only node's engine changed.
template <typename Change>
Seen AfterOnset(std::string_view name, Change change) {
  Scenario scenario = Builtin(name);
  change(scenario.nodes[0].config);
  Stage stage(scenario, 0, scenario.onset + FromSeconds(30));
  stage.LiveUntil(scenario.duration);
  return stage.seen(0);
}

Seen AsItIs(std::string_view name) {
  return AfterOnset(name, [](EngineConfig&) {});
}

TEST(RemediesTest, FirstWordsComeAtOnceBeforeEveryOnset) {
  for (const std::string_view name : BuiltinScenarioNames()) {
    SCOPED_TRACE(name);
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      Scenario scenario = Builtin(name);
      scenario.seed = seed;
      if (scenario.onset == SimTime{}) continue;
      for (std::size_t node = 0; node < scenario.nodes.size(); ++node) {
        Stage stage(scenario, node, FromSeconds(10));
        stage.LiveUntil(scenario.onset - SimTime(1));
        for (std::size_t i = 0; i < stage.replicas(); ++i) {
          EXPECT_LT(stage.seen(i).Ttft(0.99), 1);
          EXPECT_LT(stage.seen(i).Gap(0.99), 0.3);
          EXPECT_LT(stage.seen(i).last.waiting, 5u);
          EXPECT_EQ(stage.seen(i).preemptions, 0u);
        }
      }
    }
  }
}

TEST(RemediesTest, ALargerBatchDoesNotHelpTheQueueBound) {
  const auto with = [](std::uint32_t limit) {
    return AfterOnset("queue-bound", [=](EngineConfig& config) { config.max_num_seqs = limit; });
  };
  const double ended = AsItIs("queue-bound").ended;
  EXPECT_NEAR(with(128).ended, ended, 0.06 * ended);
  EXPECT_NEAR(with(512).ended, ended, 0.06 * ended);
  EXPECT_GT(with(512).last.waiting, 1000u);
}

TEST(RemediesTest, AHigherLimitCuresTheSequenceLimit) {
  EXPECT_GT(AsItIs("sequence-limit").Ttft(0.5), 5);
  const Seen cured =
      AfterOnset("sequence-limit", [](EngineConfig& config) { config.max_num_seqs = 64; });
  EXPECT_LT(cured.Ttft(0.99), 0.3);
  EXPECT_LT(cured.last.waiting, 3u);
}

TEST(RemediesTest, MoreCacheCuresTheThrashing) {
  const Seen sick = AsItIs("kv-thrash");
  EXPECT_GT(sick.preemptions, 100u);
  EXPECT_GT(sick.Ttft(0.5), 2);
  const Seen cured = AfterOnset("kv-thrash", [](EngineConfig& config) { config.kv_blocks = 0; });
  EXPECT_EQ(cured.preemptions, 0u);
  EXPECT_LT(cured.Ttft(0.99), 1);
}

TEST(RemediesTest, BandwidthCuresMemoryBoundDecodingAndArithmeticDoesNot) {
  const Seen sick = AsItIs("memory-bound-decode");
  EXPECT_LT(sick.Ttft(0.99), 1) << "nobody waits";
  const Seen bandwidth = AfterOnset(
      "memory-bound-decode", [](EngineConfig& config) { config.gpu.bandwidth_bytes_per_s *= 1.4; });
  EXPECT_LT(bandwidth.Gap(0.5), 0.65 * sick.Gap(0.5));
  const Seen arithmetic =
      AfterOnset("memory-bound-decode", [](EngineConfig& config) { config.gpu.bf16_flops *= 1.4; });
  EXPECT_GT(arithmetic.Gap(0.5), 0.8 * sick.Gap(0.5));
}

TEST(RemediesTest, ArithmeticCuresComputeBoundPrefillAndBandwidthDoesNot) {
  const Seen sick = AsItIs("compute-bound-prefill");
  const Seen arithmetic = AfterOnset("compute-bound-prefill",
                                     [](EngineConfig& config) { config.gpu.bf16_flops *= 1.4; });
  EXPECT_LT(arithmetic.Ttft(0.5), 0.5 * sick.Ttft(0.5));
  const Seen bandwidth = AfterOnset("compute-bound-prefill", [](EngineConfig& config) {
    config.gpu.bandwidth_bytes_per_s *= 1.4;
  });
  // Near its ceiling a queue magnifies what little that gives.
  EXPECT_GT(bandwidth.Ttft(0.5), 2 * arithmetic.Ttft(0.5));
  EXPECT_GT(bandwidth.Ttft(0.99), 1);
}

TEST(RemediesTest, SmallerPiecesOfPromptsCureTheInterference) {
  const Seen sick = AsItIs("prefill-decode-interference");
  EXPECT_GT(sick.Gap(0.99), 0.4);
  EXPECT_LT(sick.Gap(0.5), 0.05) << "most gaps are as ever";
  const Seen cured = AfterOnset("prefill-decode-interference", [](EngineConfig& config) {
    config.mixing = Mixing::kMixed;
    config.max_num_batched_tokens = 1024;
  });
  EXPECT_LT(cured.Gap(0.99), 0.2);
}

TEST(RemediesTest, AFasterGpuDoesNotHelpTheHostBound) {
  const Seen sick = AsItIs("host-bound");
  EXPECT_LT(sick.GpuShare(), 0.5);
  const Seen faster = AfterOnset("host-bound", [](EngineConfig& config) {
    config.gpu.bandwidth_bytes_per_s *= 2;
    config.gpu.bf16_flops *= 2;
  });
  EXPECT_GT(faster.Gap(0.5), 0.9 * sick.Gap(0.5));
  const Seen cured = AfterOnset("host-bound", [](EngineConfig& config) {
    config.host.step_s /= 10;
    config.host.step_per_sequence_s /= 10;
  });
  EXPECT_LT(cured.Gap(0.5), 0.4 * sick.Gap(0.5));
}

TEST(RemediesTest, WithoutADraftAnswersComeSooner) {
  const Seen sick = AsItIs("speculation-not-paying");
  const Seen cured = AfterOnset("speculation-not-paying",
                                [](EngineConfig& config) { config.speculation.draft_tokens = 0; });
  EXPECT_LT(cured.E2e(), 0.8 * sick.E2e());
}

TEST(RemediesTest, LongOutputsAreNoFault) {
  const Seen seen = AsItIs("long-outputs");
  EXPECT_LT(seen.Ttft(0.99), 0.3);
  EXPECT_LT(seen.Gap(0.99), 0.1);
  EXPECT_LT(seen.last.waiting, 3u);
}

TEST(RemediesTest, BalancedRanksServeEverybody) {
  Scenario scenario = Builtin("rank-imbalance");
  EXPECT_GT(AsItIs("rank-imbalance").Ttft(0.9), 5);
  scenario.events.clear();
  Stage stage(scenario, 0, scenario.onset);
  stage.LiveUntil(scenario.duration);
  EXPECT_LT(stage.seen(0).Ttft(0.99), 1);
}

TEST(RemediesTest, MoreReplicasHelpWhereTheyAreSaidTo) {
  int said = 0;
  for (const std::string_view name : BuiltinScenarioNames()) {
    Scenario scenario = Builtin(name);
    if (!scenario.more_replicas_help) continue;
    SCOPED_TRACE(name);
    ++said;
    const Seen sick = AsItIs(name);
    scenario.nodes[0].replicas = 2;
    Stage stage(scenario, 0, scenario.onset + FromSeconds(30));
    stage.LiveUntil(scenario.duration);
    const Seen& cured = stage.seen(0);
    EXPECT_LT(cured.Ttft(0.99), 1);
    EXPECT_LT(cured.Ttft(0.5) / sick.Ttft(0.5) * cured.Gap(0.5) / sick.Gap(0.5), 0.5);
  }
  EXPECT_GE(said, 4);
}

}  // namespace
}  // namespace firstword::simulate
