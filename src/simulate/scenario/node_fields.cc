#include "simulate/scenario/node_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "simulate/engine/step_cost.h"
#include "simulate/scenario/ranges.h"
#include "simulate/scenario/read_values.h"

namespace firstword::simulate {
namespace {

constexpr std::array<std::string_view, 3> kBalances = {"least-requests", "round-robin",
                                                       "by-session"};
constexpr std::uint64_t kLeastCacheTokens = 512;

// Older than nothing: the newest behaviour is meant where no version is given.
constexpr std::string_view kNewest = "9999";

void CheckFit(const yaml::Node& at, const EngineConfig& config, yaml::Faults& faults) {
  if (config.model.heads % config.tensor_parallel != 0) {
    faults.Add(PlaceOf(at, "tp"),
               fmt::format("{} has {} attention heads, which {} GPUs cannot share",
                           config.model.name, config.model.heads, config.tensor_parallel));
    return;
  }
  const StepModel model(config);
  const std::uint32_t room = model.KvBlocks();
  const std::string gpus = fmt::format("{} x {}", config.tensor_parallel, config.gpu.name);
  if (std::uint64_t{room} * config.block_tokens < kLeastCacheTokens) {
    faults.Add(PlaceOf(at, "model"),
               fmt::format("{} does not fit {}: {:.0f} GB of weights leave no room for a cache",
                           config.model.name, gpus,
                           model.weight_bytes_per_gpu() * config.tensor_parallel / 1e9),
               "more tensor parallelism (tp), a larger GPU or narrower weights");
  } else if (config.kv_blocks > room) {
    faults.Add(PlaceOf(at, "set"),
               fmt::format("\"kv_blocks\": {} are more than fit {} beside {}", config.kv_blocks,
                           gpus, config.model.name),
               fmt::format("at most {}", room));
  } else if (config.kv_blocks > 0 &&
             std::uint64_t{config.kv_blocks} * config.block_tokens < kLeastCacheTokens) {
    faults.Add(PlaceOf(at, "set"), fmt::format("\"kv_blocks\": {} hold less than {} tokens",
                                               config.kv_blocks, kLeastCacheTokens));
  }
}

WorkloadSpec ReadWorkload(const yaml::Node& at, const Presets& presets, yaml::Faults& faults) {
  if (at.kind != yaml::Node::Kind::kMap) {
    return Unwrap(at, presets.Workload(yaml::ReadText(at, "workload", faults)), faults);
  }
  FieldReader fields(at, "a workload", faults);
  WorkloadSpec workload;
  std::string like;
  fields.Text("like", like);
  if (!like.empty()) workload = Unwrap(PlaceOf(at, "like"), presets.Workload(like), faults);
  ReadWorkloadFields(fields, workload);
  CheckRanges(at, WorkloadRanges(), faults);
  if (workload.prompt_tokens.mean <= 0 || workload.output_tokens.mean <= 0) {
    faults.Add(at, "a workload needs \"prompt_tokens\" and \"output_tokens\"",
               "or \"like\" and the name of one that has them");
  }
  return workload;
}

}  // namespace

NodeSpec ReadNode(const yaml::Node& at, const Presets& presets, yaml::Faults& faults) {
  FieldReader fields(at, "a node", faults);
  NodeSpec node;
  node.name = ReadName(fields, "a node", "name");
  std::string engine = "vllm:0.30";
  fields.Text("engine", engine);
  const std::size_t colon = std::min(engine.find(':'), engine.size());
  node.engine = engine.substr(0, colon);
  if (colon < engine.size()) node.version = engine.substr(colon + 1);
  const std::string_view version = node.version.empty() ? kNewest : std::string_view(node.version);
  node.config = Unwrap(PlaceOf(at, "engine"), presets.Engine(node.engine, version), faults);
  std::string gpu = "h100";
  fields.Text("gpu", gpu);
  node.config.gpu = Unwrap(PlaceOf(at, "gpu"), presets.Gpu(gpu), faults);
  std::string model = "llama-3.1-8b";
  fields.Text("model", model);
  node.config.model = Unwrap(PlaceOf(at, "model"), presets.Model(model), faults);
  node.config.tensor_parallel = node.config.model.default_tp;
  fields.Count("tp", node.config.tensor_parallel, 1);
  fields.Count("dp", node.config.data_parallel, 1);
  fields.Count("replicas", node.replicas, 1);
  CheckRanges(at, NodeRanges(), faults);
  node.cold_start_s = Seconds(ReadTime(fields, "cold_start", FromSeconds(30)));
  if (const yaml::Node* set = fields.Take("set")) {
    FieldReader settings(*set, "\"set\"", faults);
    ReadEngineFields(settings, node.config);
    CheckRanges(*set, EngineRanges(), faults);
  }
  if (!faults.any()) CheckFit(at, node.config, faults);
  return node;
}

TrafficSpec ReadTraffic(const yaml::Node& at, std::string_view otherwise_to, const Presets& presets,
                        yaml::Faults& faults) {
  FieldReader fields(at, "a traffic", faults);
  TrafficSpec traffic{.to = std::string(otherwise_to)};
  fields.Text("to", traffic.to);
  const bool named = at.Find("name") != nullptr;
  traffic.name = named ? ReadName(fields, "a traffic", "name") : traffic.to;
  if (!named) (void)fields.Take("name");
  if (const yaml::Node* workload = fields.Take("workload")) {
    traffic.workload = ReadWorkload(*workload, presets, faults);
  } else {
    traffic.workload = Unwrap(at, presets.Workload("chat"), faults);
  }
  fields.Number("rate", traffic.arrivals.per_second);
  fields.Number("burstiness", traffic.arrivals.burstiness);
  fields.Word("balance", kBalances, traffic.balance);
  fields.Number("skew", traffic.skew);
  CheckRanges(at, TrafficRanges(), faults);
  traffic.gateway_delay_s = Seconds(ReadTime(fields, "gateway_delay", SimTime{}));
  return traffic;
}

}  // namespace firstword::simulate
