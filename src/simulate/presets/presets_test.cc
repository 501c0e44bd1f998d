#include "simulate/presets/presets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "simulate/engine/step_cost.h"
#include "simulate/presets/embedded.h"

namespace firstword::simulate {
namespace {

const Presets& Builtin() {
  static const Result<Presets> presets = Presets::LoadBuiltin();
  EXPECT_TRUE(presets) << presets.error().message;
  return *presets;
}

TEST(PresetsTest, GpusAreSound) {
  for (const std::string_view name : Builtin().gpu_names()) {
    const GpuSpec gpu = Builtin().Gpu(name).value();
    SCOPED_TRACE(name);
    EXPECT_GT(gpu.memory_gib, 10);
    EXPECT_GT(gpu.bandwidth_bytes_per_s, 1e11);
    EXPECT_LT(gpu.bandwidth_bytes_per_s, 1e13);
    EXPECT_GT(gpu.bf16_flops, 1e14);
    // Eight bits are twice as fast, or there is no hardware for them.
    if (gpu.fp8_flops > 0) EXPECT_NEAR(gpu.fp8_flops / gpu.bf16_flops, 2, 0.05);
    const double ridge = gpu.bf16_flops / gpu.bandwidth_bytes_per_s;
    EXPECT_GT(ridge, 100);
    EXPECT_LT(ridge, 450);
    EXPECT_LT(gpu.idle_watts, gpu.power_limit_watts / 4);
    EXPECT_GT(gpu.sm_clock_mhz, 1000);
    EXPECT_GT(gpu.memory_share, 0.5);
    EXPECT_LT(gpu.memory_share, 0.95);
    EXPECT_GT(gpu.compute_share, 0.4);
    EXPECT_LT(gpu.compute_share, 0.9);
    EXPECT_GT(gpu.link_bytes_per_s, 1e9);
    EXPECT_LT(gpu.link_latency_s, 100e-6);
  }
}

TEST(PresetsTest, ModelsAreSoundAndFitTheGpusTheyAreMeantFor) {
  EngineConfig config = Builtin().Engine("vllm", "0.30").value();
  config.gpu = Builtin().Gpu("h200").value();
  for (const std::string_view name : Builtin().model_names()) {
    SCOPED_TRACE(name);
    config.model = Builtin().Model(name).value();
    config.tensor_parallel = config.model.default_tp;
    const ModelSpec& model = config.model;
    EXPECT_EQ(model.heads % model.default_tp, 0u);
    EXPECT_GT(model.active_parameters, 1e9);
    // Attention and expert weights by their shapes, against what the row says of the whole.
    const double attention =
        2.0 * model.layers * model.hidden * model.head_dim * (model.heads + model.kv_heads);
    EXPECT_LT(attention, model.active_parameters);
    const double routed = model.experts * model.expert_parameters;
    EXPECT_GT(routed, model.experts == 0 ? -1 : 0.8 * model.parameters);
    const StepModel step(config);
    EXPECT_GT(step.KvBlocks() * config.block_tokens, model.max_model_len) << "does not fit";
  }
}

TEST(PresetsTest, WorkloadsAreSound) {
  EXPECT_GE(Builtin().workloads().size(), 6u);
  for (const WorkloadSpec& workload : Builtin().workloads()) {
    SCOPED_TRACE(workload.name);
    EXPECT_GT(workload.prompt_tokens.mean, 0);
    EXPECT_GT(workload.output_tokens.mean, 0);
    EXPECT_GE(workload.max_tokens, workload.output_tokens.mean);
    EXPECT_FALSE(workload.title.empty());
  }
}

TEST(PresetsTest, EnginesChangeWithTheirReleases) {
  const auto f = [](std::string_view engine, std::string_view version) {
    return Builtin().Engine(engine, version).value();
  };
  EXPECT_EQ(f("vllm", "0.6").mixing, Mixing::kPrefillFirst);
  EXPECT_FALSE(f("vllm", "0.6").chunked_prefill);
  EXPECT_EQ(f("vllm", "0.8.3").mixing, Mixing::kMixed);
  EXPECT_FALSE(f("vllm", "0.10").host.overlapped);
  EXPECT_TRUE(f("vllm", "0.30").host.overlapped);
  EXPECT_EQ(f("vllm", "0.30").memory, MemoryPolicy::kRecompute);
  EXPECT_EQ(f("sglang", "0.5.9").memory, MemoryPolicy::kRetract);
  EXPECT_EQ(f("triton-trtllm", "1.0.0").memory, MemoryPolicy::kReserve);
  EXPECT_EQ(f("triton-trtllm", "").block_tokens, 64u);
  EXPECT_EQ(f("trtllm-serve", "1.0").block_tokens, 32u);
  EXPECT_EQ(f("llamacpp", "b9000").max_num_seqs, 4u);
}

TEST(PresetsTest, UnknownNamesComeWithWhatWasMeant) {
  EXPECT_EQ(Builtin().Gpu("h1000").error().ToString(),
            "unknown GPU \"h1000\" (did you mean \"h100\"?)");
  EXPECT_EQ(Builtin().Workload("chatt").error().ToString(),
            "unknown workload \"chatt\" (did you mean \"chat\"?)");
  EXPECT_NE(Builtin().Model("gpt").error().hint.find("llama-3.1-8b"), std::string::npos);
  EXPECT_NE(Builtin().Engine("dcgm", "4.2.3").error().message.find("no engine"), std::string::npos);
}

// The built-in files with one of them changed.
std::string FaultOf(std::string_view file, std::string_view old_text, std::string_view new_text) {
  const auto builtin = EmbeddedPresets();
  std::vector<yaml::EmbeddedFile> files(builtin.begin(), builtin.end());
  const auto found = std::ranges::find(files, file, &yaml::EmbeddedFile::name);
  std::string text(found->content);
  const std::size_t at = text.find(old_text);
  EXPECT_NE(at, std::string::npos) << old_text;
  text.replace(at, old_text.size(), new_text);
  found->content = text;
  const Result<Presets> presets = Presets::Load(files);
  return presets ? "none" : presets.error().ToString();
}

TEST(PresetsTest, MistakesAreErrorsWithTheirPlace) {
  const auto f = [](std::string_view file, std::string_view old_text, std::string_view new_text,
                    std::string_view want) {
    const std::string fault = FaultOf(file, old_text, new_text);
    EXPECT_NE(fault.find(want), std::string::npos) << fault << "\nwanted: " << want;
    EXPECT_TRUE(fault.starts_with(std::string(file) + ":")) << fault;
  };
  f("gpus.yaml", "gpus:", "gpu:", ":5:1: a preset file has no key \"gpu\"");
  f("gpus.yaml", "idle_watts: 55", "idel_watts: 55", "a GPU needs \"idle_watts\"");
  f("gpus.yaml", "idle_watts: 55", "idle_watts: 55, idel_watts: 55",
    "a GPU has no key \"idel_watts\" (did you mean \"idle_watts\"?)");
  f("gpus.yaml", "idle_watts: 55", "idle_watts: 4000", "\"idle_watts\" is more than");
  f("gpus.yaml", "memory_share: 0.74", "memory_share: 74",
    "\"memory_share\" must be a number from 0.01 to 1");
  f("gpus.yaml", "memory_gib: 40", "memory_gib: forty", "forty");
  f("gpus.yaml", "name: a100-80,", "name: a100-40,", "\"a100-40\" is there twice");
  f("models.yaml", "layers: 32", "layers: 0.5", "\"layers\" must be a whole number of at least 1");
  f("models.yaml", "parameters_b: 8.03, ", "", "a model needs \"parameters_b\"");
  f("models.yaml", "active_b: 7.50", "active_b: 75", "\"active_b\" is more than \"parameters_b\"");
  f("models.yaml", "kv_heads: 8", "kv_heads: 64", "\"kv_heads\" is more than \"heads\"");
  f("models.yaml", "experts_chosen: 2", "experts_chosen: 9", "\"experts_chosen\" is more than");
  f("models.yaml", ", expert_b: 5.637", "", "needs \"experts_chosen\" and \"expert_b\"");
  f("models.yaml", "expert_b: 5.637", "expert_b: 56.37", "the experts are more than");
  f("workloads.yaml", "prompt_tokens", "promt_tokens", "a workload needs \"prompt_tokens\"");
  f("workloads.yaml", "streaming_share: 0", "streaming_share: 50",
    "\"streaming_share\" must be a number from 0 to 1");
  f("engines.yaml", "mixing: mixed", "mixing: mixd", "mixd");
  f("engines.yaml", "overlapped: false", "overlapped: 0", "\"overlapped\" must be true or false");
  f("engines.yaml", "step: 1500", "stop: 1500", "\"host\" has no key \"stop\"");
}

}  // namespace
}  // namespace firstword::simulate
