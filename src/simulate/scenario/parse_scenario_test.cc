#include <gtest/gtest.h>

#include <string>

#include "simulate/scenario/scenarios.h"
#include "simulate/scenario/test_presets.h"

namespace firstword::simulate {
namespace {

Result<Scenario> Parse(std::string_view text) {
  return ParseScenario(text, "mine.yaml", BuiltinPresets());
}

constexpr std::string_view kWhole = R"(scenario: mine
title: everything at once
story: Look at it.
shape: kv-thrash
onset: 1m
duration: 5m
more_replicas_help: true
seed: 7
gpu_exporter: "dcgm:4.2.3"
gpu_interval: 30s
gateway: vllm-router
nodes:
  - name: chat
    engine: "vllm:0.10"
    gpu: a100-80
    model: qwen3-32b
    replicas: 3
    tp: 2
    dp: 2
    cold_start: 1m30s
    set:
      max_num_seqs: 64
      memory: retract
      prefix_caching: false
      host: {step: 2500, overlapped: true}
      speculation: {draft_tokens: 3, acceptance: 0.6}
  - {name: plain}
traffic:
  - name: users
    to: chat
    workload: {like: chat, turns: 1, output_tokens: {shape: uniform, min: 10, max: 30}}
    rate: 2.5
    burstiness: 0.5
    balance: by-session
    skew: 0.25
    gateway_delay: 20ms
  - {to: plain, workload: rag}
events:
  - {at: 2m, traffic: users, rate: 9, prompt_factor: 2, output_factor: 0.5, prefixes_shared: false}
  - {at: 1m, node: chat, replica: 2, gpu: 3, xid: 79, clock_share: 0.4, hw_thermal: true}
  - {at: 1m, node: chat, crash: true, crash_every: 20s}
)";

TEST(ParseScenarioTest, ReadsNodes) {
  const Result<Scenario> scenario = Parse(kWhole);
  ASSERT_TRUE(scenario) << scenario.error().ToString();
  ASSERT_EQ(scenario->nodes.size(), 2u);
  const NodeSpec& chat = scenario->nodes[0];
  EXPECT_EQ(chat.engine, "vllm");
  EXPECT_EQ(chat.version, "0.10") << "as written, not the number 0.1";
  EXPECT_EQ(chat.replicas, 3u);
  EXPECT_EQ(chat.cold_start_s, 90);
  EXPECT_EQ(chat.config.gpu.name, "a100-80");
  EXPECT_EQ(chat.config.model.name, "qwen3-32b");
  EXPECT_EQ(chat.config.tensor_parallel, 2u);
  EXPECT_EQ(chat.config.data_parallel, 2u);
  EXPECT_EQ(chat.config.max_num_seqs, 64u);
  EXPECT_EQ(chat.config.memory, MemoryPolicy::kRetract);
  EXPECT_FALSE(chat.config.prefix_caching);
  EXPECT_DOUBLE_EQ(chat.config.host.step_s, 0.0025) << "microseconds in the file";
  EXPECT_TRUE(chat.config.host.overlapped);
  EXPECT_EQ(chat.config.speculation.draft_tokens, 3u);
  EXPECT_EQ(chat.config.speculation.acceptance, 0.6);
}

TEST(ParseScenarioTest, FillsInWhatIsNotSaid) {
  const Result<Scenario> scenario = Parse(kWhole);
  ASSERT_TRUE(scenario) << scenario.error().ToString();
  const NodeSpec& plain = scenario->nodes[1];
  EXPECT_EQ(plain.engine, "vllm");
  EXPECT_EQ(plain.version, "0.30");
  EXPECT_EQ(plain.replicas, 1u);
  EXPECT_EQ(plain.cold_start_s, 30);
  const EngineConfig preset = BuiltinPresets().Engine("vllm", "0.30").value();
  EXPECT_EQ(plain.config.host.step_s, preset.host.step_s);
  EXPECT_EQ(plain.config.max_num_batched_tokens, preset.max_num_batched_tokens);
  EXPECT_EQ(plain.config.gpu.name, "h100");
  EXPECT_EQ(plain.config.model.name, "llama-3.1-8b");
}

TEST(ParseScenarioTest, ReadsTraffic) {
  const Result<Scenario> scenario = Parse(kWhole);
  ASSERT_TRUE(scenario) << scenario.error().ToString();
  ASSERT_EQ(scenario->traffic.size(), 2u);
  const TrafficSpec& users = scenario->traffic[0];
  EXPECT_EQ(users.to, "chat");
  EXPECT_EQ(users.arrivals.per_second, 2.5);
  EXPECT_EQ(users.arrivals.burstiness, 0.5);
  EXPECT_EQ(users.balance, Balance::kBySession);
  EXPECT_EQ(users.skew, 0.25);
  EXPECT_DOUBLE_EQ(users.gateway_delay_s, 0.02);
  EXPECT_EQ(users.workload.turns.mean, 1);
  EXPECT_EQ(users.workload.output_tokens.shape, Spread::Shape::kUniform);
  EXPECT_EQ(users.workload.output_tokens.mean, 20);
  EXPECT_EQ(users.workload.groups, BuiltinPresets().Workload("chat")->groups);
  EXPECT_EQ(scenario->traffic[1].name, "plain") << "as the node";
  EXPECT_EQ(scenario->traffic[1].workload.groups, BuiltinPresets().Workload("rag")->groups);
}

TEST(ParseScenarioTest, ReadsEventsInOrderOfTime) {
  const Result<Scenario> scenario = Parse(kWhole);
  ASSERT_TRUE(scenario) << scenario.error().ToString();
  ASSERT_EQ(scenario->events.size(), 3u);
  const EventSpec& gpu = scenario->events[0];
  EXPECT_EQ(gpu.at, FromSeconds(60));
  EXPECT_EQ(gpu.node, "chat");
  EXPECT_EQ(gpu.replica, 2u);
  EXPECT_EQ(gpu.gpu, 3u);
  EXPECT_EQ(gpu.xid, 79u);
  EXPECT_EQ(gpu.clock_share, 0.4);
  EXPECT_EQ(gpu.hw_thermal, true);
  EXPECT_FALSE(gpu.crash);
  EXPECT_TRUE(scenario->events[1].crash) << "the same moment: in the order of the file";
  EXPECT_EQ(scenario->events[1].crash_every_s, 20);
  const EventSpec& users = scenario->events[2];
  EXPECT_EQ(users.traffic, "users");
  EXPECT_EQ(users.rate, 9);
  EXPECT_EQ(users.prompt_factor, 2);
  EXPECT_EQ(users.output_factor, 0.5);
  EXPECT_EQ(users.prefixes_shared, false);
  EXPECT_FALSE(users.skew.has_value());
}

TEST(ParseScenarioTest, ReadsTheRest) {
  const Result<Scenario> scenario = Parse(kWhole);
  ASSERT_TRUE(scenario) << scenario.error().ToString();
  EXPECT_EQ(scenario->name, "mine");
  EXPECT_EQ(scenario->title, "everything at once");
  EXPECT_EQ(scenario->story, "Look at it.");
  EXPECT_EQ(scenario->shape, "kv-thrash");
  EXPECT_EQ(scenario->onset, FromSeconds(60));
  EXPECT_EQ(scenario->duration, FromSeconds(300));
  EXPECT_TRUE(scenario->more_replicas_help);
  EXPECT_EQ(scenario->seed, 7u);
  EXPECT_EQ(scenario->gpu_exporter, "dcgm:4.2.3");
  EXPECT_EQ(scenario->gpu_interval_s, 30);
  EXPECT_EQ(scenario->gateway, "vllm-router");
}

TEST(ParseScenarioTest, TheLeastScenarioIsFourLines) {
  const Result<Scenario> scenario =
      Parse("scenario: mine\ntitle: one\nshape: healthy\nnodes: {name: chat}\n");
  ASSERT_TRUE(scenario) << scenario.error().ToString();
  EXPECT_EQ(scenario->duration, FromSeconds(360));
  EXPECT_EQ(scenario->onset, SimTime{});
  EXPECT_TRUE(scenario->traffic.empty());
}

TEST(FindScenarioTest, KnowsTheBuiltInOnes) {
  for (const std::string_view name : BuiltinScenarioNames()) {
    const Result<Scenario> scenario = FindScenario(name, BuiltinPresets());
    ASSERT_TRUE(scenario) << scenario.error().ToString();
    EXPECT_EQ(scenario->name, name);
    EXPECT_LT(scenario->onset, scenario->duration);
  }
  EXPECT_TRUE(BuiltinScenarioText("no-such").empty());
}

TEST(FindScenarioTest, SaysWhatWasProbablyMeant) {
  auto f = [](std::string_view name, std::string_view want) {
    const Result<Scenario> scenario = FindScenario(name, BuiltinPresets());
    ASSERT_FALSE(scenario) << name;
    EXPECT_EQ(scenario.error().ToString(), want);
  };
  f("kv-trash", "there is no scenario \"kv-trash\" (did you mean \"kv-thrash\"?)");
  f("q", "there is no scenario \"q\" (firstword simulate --list shows them)");
  f("./missing.yaml",
    "cannot read ./missing.yaml (built-in scenarios have names without a \"/\" or .yaml)");
}

TEST(FindScenarioTest, ReadsAFile) {
  const Result<Scenario> scenario =
      FindScenario(FIRSTWORD_SOURCE_DIR "/scenarios/healthy.yaml", BuiltinPresets());
  ASSERT_TRUE(scenario) << scenario.error().ToString();
  EXPECT_EQ(scenario->name, "healthy");
}

}  // namespace
}  // namespace firstword::simulate
