// What people get to read when a scenario is wrong.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "simulate/scenario/scenarios.h"
#include "simulate/scenario/test_presets.h"

namespace firstword::simulate {
namespace {

std::string FaultOf(std::string_view text) {
  const Result<Scenario> scenario = ParseScenario(text, "s", BuiltinPresets());
  if (scenario) return "none";
  EXPECT_EQ(scenario.error().code, ErrorCode::kParse);
  return scenario.error().ToString();
}

// A sound beginning of four lines; what is wrong stands on the fifth.
std::string FaultAfter(std::string_view text) {
  return FaultOf("scenario: x\ntitle: y\nshape: healthy\nnodes: [{name: chat, replicas: 2}]\n" +
                 std::string(text));
}

TEST(ScenarioFaultsTest, OfTheTop) {
  auto f = [](std::string_view text, std::string_view want) {
    EXPECT_EQ(FaultAfter(text), want) << text;
  };
  f("", "none");
  f("onsett: 1m", "s:5:1: a scenario has no key \"onsett\" (did you mean \"onset\"?)");
  f("onset: 7m", "s:5:8: \"duration\" must be longer than \"onset\"");
  f("onset: soon", "s:5:8: \"onset\": \"soon\" is not a duration (write 500ms, 2s or 1m30s)");
  f("seed: -1", "s:5:7: \"seed\" must be a whole number of at least 0");
  f("gpu_interval: 0s", "s:5:15: \"gpu_interval\" must be above 0");
  f("more_replicas_help: maybe", "s:5:21: \"more_replicas_help\" must be true or false");
  f("nodes: []", "s:5:1: key \"nodes\" stands here twice (keep one of the two)");
  f("events: []", "s:5:9: events is an empty list (leave the key out instead)");
  EXPECT_EQ(FaultOf("- 1"), "s:1:1: a scenario must be a map of keys and values, found a list");
  EXPECT_EQ(FaultOf("title: y"), "s:1:1: a scenario needs the key \"scenario\"");
  EXPECT_EQ(FaultOf("scenario: a b\ntitle: y"),
            "s:1:11: \"scenario\" must not be \"a b\" (lower case letters, digits and \"-\")");
  EXPECT_EQ(FaultOf("scenario: x\ntitle: y\nshape: kv-trash"),
            "s:3:8: \"shape\": there is no shape \"kv-trash\" (did you mean \"kv-thrash\"?)");
  EXPECT_EQ(FaultOf("scenario: x\ntitle: y\nshape: healthy\ntraffic: [{rate: 1}]"),
            "s:1:1: a scenario needs at least one of \"nodes\"");
}

TEST(ScenarioFaultsTest, OfNodes) {
  auto f = [](std::string_view nodes, std::string_view want) {
    EXPECT_EQ(FaultOf("scenario: x\ntitle: y\nshape: healthy\nnodes: [" + std::string(nodes) + "]"),
              want)
        << nodes;
  };
  f("{gpu: h100}", "s:4:9: a node needs the key \"name\"");
  f("{name: ../x}", "s:4:16: \"name\" must not be \"../x\" (lower case letters, digits and \"-\")");
  f("{name: a}, {name: a}", "s:4:27: two nodes are called \"a\"");
  f("{name: a, gpus: 2}", "s:4:19: a node has no key \"gpus\" (did you mean \"gpu\"?)");
  f("{name: a, gpu: h10}", "s:4:24: unknown GPU \"h10\" (did you mean \"h100\"?)");
  f("{name: a, model: llama-3.1-8}",
    "s:4:26: unknown model \"llama-3.1-8\" (did you mean \"llama-3.1-8b\"?)");
  f("{name: a, replicas: 65}", "s:4:29: \"replicas\" must be from 1 to 64");
  f("{name: a, replicas: 1.5}", "s:4:29: \"replicas\" must be a whole number of at least 1");
  f("{name: a, tp: 3}", "s:4:23: llama-3.1-8b has 32 attention heads, which 3 GPUs cannot share");
  f("{name: a, set: {max_num_seq: 8}}",
    "s:4:25: \"set\" has no key \"max_num_seq\" (did you mean \"max_num_seqs\"?)");
  f("{name: a, set: {host: {stepp: 8}}}",
    "s:4:32: \"host\" has no key \"stepp\" (did you mean \"step\"?)");
  f("{name: a, set: {memory: swap}}",
    "s:4:33: memory must be recompute or retract or reserve or max-utilization, found \"swap\"");
  f("{name: a, set: {gpu_memory_utilization: 0.001}}",
    "s:4:49: \"gpu_memory_utilization\" must be from 0.01 to 1");
  f("{name: a, set: {speculation: {draft_tokens: 900000000}}}",
    "s:4:53: \"draft_tokens\" must be from 0 to 64");
  f("{name: a, set: {host: {tokenize: nan}}}",
    "s:4:42: \"tokenize\" must be a number of at least 0");
}

TEST(ScenarioFaultsTest, OfWhatDoesNotFit) {
  auto f = [](std::string_view node, std::string_view want) {
    EXPECT_EQ(FaultOf("scenario: x\ntitle: y\nshape: healthy\nnodes: {name: a, " +
                      std::string(node) + "}"),
              want)
        << node;
  };
  f("model: llama-3.3-70b, tp: 1",
    "s:4:25: llama-3.3-70b does not fit 1 x h100: 141 GB of weights leave no room for a cache "
    "(more tensor parallelism (tp), a larger GPU or narrower weights)");
  f("model: llama-3.3-70b, tp: 4", "none");
  f("gpu: l4", "none");
  f("gpu: l4, model: qwen3-32b",
    "s:4:34: qwen3-32b does not fit 1 x l4: 66 GB of weights leave no room for a cache "
    "(more tensor parallelism (tp), a larger GPU or narrower weights)");
  f("set: {kv_blocks: 5}", "s:4:23: \"kv_blocks\": 5 hold less than 512 tokens");
  // How many would fit is a matter of presets.
  EXPECT_THAT(FaultOf("scenario: x\ntitle: y\nshape: healthy\nnodes: {name: a, set: {kv_blocks: "
                      "100000}}"),
              testing::StartsWith("s:4:23: \"kv_blocks\": 100000 are more than fit 1 x h100 beside "
                                  "llama-3.1-8b (at most 2"));
}

TEST(ScenarioFaultsTest, OfTraffic) {
  auto f = [](std::string_view traffic, std::string_view want) {
    EXPECT_EQ(FaultAfter("traffic: [" + std::string(traffic) + "]"), want) << traffic;
  };
  f("{rate: 1}", "none");
  f("{to: chatt}", "s:5:16: \"to\": there is no node \"chatt\" (did you mean \"chat\"?)");
  f("{rate: 1}, {rate: 2}",
    "s:5:22: two traffics are called \"chat\" (give one of them another \"name\")");
  f("{rate: -1}", "s:5:18: \"rate\" must be a number of at least 0");
  f("{rate: 1e9}", "s:5:18: \"rate\" must be from 0 to 100000");
  f("{rate: fast}", "s:5:18: rate must be a number, found \"fast\"");
  f("{skew: 2}", "s:5:18: \"skew\" must be from 0 to 1");
  f("{balance: random}",
    "s:5:21: balance must be least-requests or round-robin or by-session, found \"random\"");
  f("{workload: chatty}", "s:5:22: unknown workload \"chatty\" (did you mean \"chat\"?)");
  f("{workload: {like: chatty}}", "s:5:29: unknown workload \"chatty\" (did you mean \"chat\"?)");
  f("{workload: {prompt_tokens: 5}}",
    "s:5:22: a workload needs \"prompt_tokens\" and \"output_tokens\" (or \"like\" and the name "
    "of one that has them)");
  f("{workload: {like: chat, prompt_tokens: -5}}",
    "s:5:50: \"prompt_tokens\" must be from 0 to 10000000");
  f("{workload: {like: chat, output_tokens: nan}}",
    "s:5:50: \"output_tokens\" must be from 0 to 10000000");
  f("{workload: {like: chat, output_tokens: {mean: 1, cv: 99}}}",
    "s:5:64: \"cv\" must be from 0 to 20");
  f("{workload: {like: chat, groups: 1e9}}", "s:5:43: \"groups\" must be from 0 to 1000000");
}

TEST(ScenarioFaultsTest, OfEvents) {
  auto f = [](std::string_view event, std::string_view want) {
    EXPECT_EQ(FaultAfter("traffic: {rate: 1, name: users}\nevents: [{" + std::string(event) + "}]"),
              want)
        << event;
  };
  f("at: 1m, traffic: users, rate: 2", "none");
  f("traffic: users, rate: 2", "s:6:10: an event needs the key \"at\"");
  f("at: 6m, traffic: users, rate: 2",
    "s:6:15: an event after the end (\"duration\" is when that is)");
  f("at: 1m, rate: 2", "s:6:10: an event is of one \"traffic\" or of one \"node\"");
  f("at: 1m, traffic: users, node: chat, rate: 2",
    "s:6:10: an event is of one \"traffic\" or of one \"node\"");
  f("at: 1m, traffic: user, rate: 2",
    "s:6:28: \"traffic\": there is no traffic \"user\" (did you mean \"users\"?)");
  f("at: 1m, node: cat, crash: true",
    "s:6:25: \"node\": there is no node \"cat\" (did you mean \"chat\"?)");
  f("at: 1m, traffic: users",
    "s:6:10: an event changes nothing (docs/scenarios.md lists what one "
    "can change)");
  f("at: 1m, node: chat, replica: 2, crash: true", "s:6:40: \"replica\": there is no 2 (0 to 1)");
  f("at: 1m, node: chat, gpu: 1, xid: 79", "s:6:36: \"gpu\": there is no 1 (the only one is 0)");
  f("at: 1m, node: chat, crash: false", "s:6:38: \"crash\" can only be true (leave it out for no)");
  f("at: 1m, node: chat, crash_every: 20s", "s:6:44: \"crash_every\" goes with \"crash: true\"");
  f("at: 1m, node: chat, crash: true, crash_every: 0s", "s:6:57: \"crash_every\" must be above 0");
  f("at: 1m, node: chat, clock_share: 0", "s:6:44: \"clock_share\" must be from 0.01 to 1");
  f("at: 1m, node: chat, acceptance: 7", "s:6:43: \"acceptance\" must be from 0 to 1");
  f("at: 1m, traffic: users, gateway_delay: long",
    "s:6:50: \"gateway_delay\": \"long\" is not a duration (write 500ms, 2s or 1m30s)");
  EXPECT_THAT(FaultAfter("traffic: {rate: 1}\nevents: {at: 1m, node: chat, rate: 2}"),
              testing::StartsWith("s:6:30: an event of a node has no key \"rate\""));
}

}  // namespace
}  // namespace firstword::simulate
