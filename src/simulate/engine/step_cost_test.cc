#include "simulate/engine/step_cost.h"

#include <gtest/gtest.h>

#include "simulate/engine/test_engine.h"

namespace firstword::simulate {
namespace {

BatchShape Decode(std::uint32_t sequences, std::uint32_t context) {
  return {.decode_tokens = sequences,
          .decode_sequences = sequences,
          .attended = 1.0 * sequences * context,
          .read_tokens = 1.0 * sequences * context};
}

BatchShape Prefill(std::uint32_t tokens) {
  return {.prefill_tokens = tokens, .prefill_sequences = 1, .attended = 0.5 * tokens * tokens};
}

TEST(StepModelTest, DecodingReadsTheWeightsOncePerStep) {
  const StepModel model(PlainConfig());
  const StepCost one = model.Cost(Decode(1, 500), 1, 1);
  const StepCost many = model.Cost(Decode(32, 500), 1, 1);
  // 15 GB at 2.7 TB/s; the KV cache of 32 sequences adds 2 GB.
  EXPECT_NEAR(one.gpu_s, 0.0059, 0.0004);
  EXPECT_LT(many.gpu_s, one.gpu_s * 1.25);
  EXPECT_GT(many.bytes, one.bytes);
}

TEST(StepModelTest, DecodingSlowsWithTheBytesOfItsContext) {
  const StepModel model(PlainConfig());
  const double short_s = model.Cost(Decode(64, 500), 1, 1).gpu_s;
  const double long_s = model.Cost(Decode(64, 8000), 1, 1).gpu_s;
  const double kv_bytes = 64.0 * 7500 * model.kv_bytes_per_token_per_gpu();
  EXPECT_NEAR(long_s - short_s, kv_bytes / (3.35e12 * 0.8), 0.001);
}

TEST(StepModelTest, PromptsAreBoundByArithmetic) {
  const StepModel model(PlainConfig());
  const StepCost cost = model.Cost(Prefill(8192), 1, 1);
  EXPECT_NEAR(8192 / cost.gpu_s, 36'000, 4'000);  // tokens/s at 70 % of 989 TFLOP/s
  // A slower clock slows prompts, not decoding.
  EXPECT_GT(model.Cost(Prefill(8192), 0.5, 1).gpu_s, 1.7 * cost.gpu_s);
  EXPECT_LT(model.Cost(Decode(8, 500), 0.5, 1).gpu_s, 1.1 * model.Cost(Decode(8, 500), 1, 1).gpu_s);
}

TEST(StepModelTest, EightBitWeightsHalveDecodingAndPrompts) {
  EngineConfig config = PlainConfig();
  const StepModel wide(config);
  config.model.weight_bytes = 1;
  config.gpu.fp8_flops = 2 * config.gpu.bf16_flops;
  const StepModel narrow(config);
  EXPECT_NEAR(narrow.Cost(Decode(1, 10), 1, 1).gpu_s / wide.Cost(Decode(1, 10), 1, 1).gpu_s, 0.52,
              0.03);
  EXPECT_NEAR(narrow.Cost(Prefill(8192), 1, 1).gpu_s / wide.Cost(Prefill(8192), 1, 1).gpu_s, 0.55,
              0.06);
  EXPECT_GT(narrow.KvBlocks(), wide.KvBlocks());
}

TEST(StepModelTest, TensorParallelRanksShareTheWorkAndPayForTalking) {
  EngineConfig config = PlainConfig();
  config.gpu.link_bytes_per_s = 450e9;
  const StepModel one(config);
  config.tensor_parallel = 4;
  const StepModel four(config);
  const double speedup =
      one.Cost(Decode(8, 1000), 1, 1).gpu_s / four.Cost(Decode(8, 1000), 1, 1).gpu_s;
  EXPECT_GT(speedup, 2);
  EXPECT_LT(speedup, 4);
  EXPECT_GT(four.Cost(Decode(8, 1000), 1, 1).link_bytes, 0);
}

TEST(StepModelTest, AMixtureOfExpertsReadsMoreOfThemAsTheBatchGrows) {
  EngineConfig config = PlainConfig();
  config.model.parameters = 46.7e9;
  config.model.active_parameters = 12.9e9;
  config.model.experts = 8;
  config.model.experts_chosen = 2;
  config.model.expert_parameters = 5.6e9;
  const StepModel model(config);
  const double one = model.Cost(Decode(1, 10), 1, 1).bytes;
  const double all = model.Cost(Decode(64, 10), 1, 1).bytes;
  EXPECT_NEAR(one, 12.9e9 * 2, 1e9);
  EXPECT_NEAR(all, 46.5e9 * 2, 2e9);
}

TEST(StepModelTest, TheCacheGetsWhatTheWeightsLeave) {
  EngineConfig config = PlainConfig();
  const StepModel model(config);
  const double tokens = 16.0 * model.KvBlocks();
  EXPECT_NEAR(tokens * 131072, (80.0 * 0.85) * 1073741824 - 16.06e9, 1e8);
  config.gpu.memory_gib = 12;
  EXPECT_EQ(StepModel(config).KvBlocks(), 0u) << "the model does not fit";
}

}  // namespace
}  // namespace firstword::simulate
