#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/nearest.h"
#include "base/units.h"
#include "simulate/engine/step_cost.h"
#include "simulate/presets/preset_fields.h"
#include "simulate/scenario/event_fields.h"
#include "simulate/scenario/scenarios.h"

namespace firstword::simulate {
namespace {

constexpr std::array<std::string_view, 3> kBalances = {"least-requests", "round-robin",
                                                       "by-session"};

class ScenarioReader {
 public:
  ScenarioReader(std::string_view file_name, const Presets& presets)
      : faults_(file_name), presets_(presets) {}

  Result<Scenario> Read(const yaml::Node& document) {
    {
      FieldReader fields(document, "a scenario", faults_);
      ReadTop(fields);
      ReadList(fields, "nodes", [this](const yaml::Node& node) { ReadNode(node); });
      ReadList(fields, "traffic", [this](const yaml::Node& node) { ReadTraffic(node); });
      ReadList(fields, "events", [this](const yaml::Node& node) { ReadEvent(node); });
    }
    if (scenario_.nodes.empty()) {
      faults_.Add(document, "a scenario needs at least one of \"nodes\"");
    }
    if (scenario_.duration <= scenario_.onset) {
      faults_.Add(document, "\"duration\" must be longer than \"onset\"");
    }
    if (faults_.any()) return std::unexpected(faults_.error());
    std::ranges::sort(scenario_.events, {}, &EventSpec::at);
    return std::move(scenario_);
  }

 private:
  void Require(FieldReader& fields, std::string_view key, std::string& to) {
    fields.Text(key, to);
    if (to.empty()) faults_.Add(fields.node(), fmt::format("\"{}\" is missing", key));
  }

  template <typename Read>
  void ReadList(FieldReader& fields, std::string_view key, Read read) {
    const yaml::Node* list = fields.Take(key);
    if (list == nullptr) return;
    for (const yaml::Node& item : yaml::ReadItems(*list, key, faults_)) read(item);
  }

  SimTime ReadTime(FieldReader& fields, std::string_view key, SimTime otherwise) {
    const yaml::Node* node = fields.Take(key);
    if (node == nullptr) return otherwise;
    const auto time = ParseDuration(yaml::ReadText(*node, key, faults_));
    if (!time) {
      faults_.Add(*node, fmt::format("\"{}\": {}", key, time.error().message), time.error().hint);
      return otherwise;
    }
    return *time;
  }

  // What a preset of that name says; the fault comes with what exists.
  template <typename T>
  T Preset(const yaml::Node& at, const Result<T>& found) {
    if (found) return *found;
    faults_.Add(at, found.error().message, found.error().hint);
    return T{};
  }

  void ReadTop(FieldReader& fields) {
    Require(fields, "scenario", scenario_.name);
    Require(fields, "title", scenario_.title);
    fields.Text("story", scenario_.story);
    Require(fields, "shape", scenario_.shape);
    scenario_.onset = ReadTime(fields, "onset", SimTime{});
    scenario_.duration = ReadTime(fields, "duration", std::chrono::minutes(6));
    fields.Flag("more_replicas_help", scenario_.more_replicas_help);
    std::uint32_t seed = 1;
    fields.Count("seed", seed);
    scenario_.seed = seed;
    fields.Text("gpu_exporter", scenario_.gpu_exporter);
    scenario_.gpu_interval_s = Seconds(ReadTime(fields, "gpu_interval", FromSeconds(1)));
    if (scenario_.gpu_interval_s <= 0) {
      faults_.Add(fields.node(), "\"gpu_interval\" must be above 0");
    }
    fields.Text("gateway", scenario_.gateway);
  }

  void ReadNode(const yaml::Node& at) {
    FieldReader fields(at, "a node", faults_);
    NodeSpec node;
    Require(fields, "name", node.name);
    if (!names_.insert(node.name).second) {
      faults_.Add(at, fmt::format("two nodes are called \"{}\"", node.name));
    }
    std::string engine = "vllm:0.30";
    fields.Text("engine", engine);
    const std::size_t colon = std::min(engine.find(':'), engine.size());
    node.engine = engine.substr(0, colon);
    if (colon < engine.size()) node.version = engine.substr(colon + 1);
    // Without a version the newest is meant.
    node.config =
        Preset(at, presets_.Engine(node.engine, node.version.empty() ? "9999" : node.version));
    std::string gpu = "h100";
    fields.Text("gpu", gpu);
    node.config.gpu = Preset(at, presets_.Gpu(gpu));
    std::string model = "llama-3.1-8b";
    fields.Text("model", model);
    node.config.model = Preset(at, presets_.Model(model));
    node.config.tensor_parallel = node.config.model.default_tp;
    fields.Count("tp", node.config.tensor_parallel, 1);
    fields.Count("dp", node.config.data_parallel, 1);
    fields.Count("replicas", node.replicas, 1);
    if (node.replicas > 64) faults_.Add(at, "more than 64 replicas of one node");
    node.cold_start_s = Seconds(ReadTime(fields, "cold_start", FromSeconds(30)));
    if (const yaml::Node* set = fields.Take("set")) {
      FieldReader settings(*set, "\"set\"", faults_);
      ReadEngineFields(settings, node.config);
    }
    if (!faults_.any()) CheckFit(at, node.config);
    scenario_.nodes.push_back(std::move(node));
  }

  void CheckFit(const yaml::Node& at, const EngineConfig& config) {
    const StepModel model(config);
    const std::uint32_t blocks = config.kv_blocks > 0 ? config.kv_blocks : model.KvBlocks();
    if (blocks * config.block_tokens >= 512) return;
    faults_.Add(
        at,
        fmt::format("{} does not fit {} x {}: {:.0f} GB of weights leave no room for a cache",
                    config.model.name, config.tensor_parallel, config.gpu.name,
                    model.weight_bytes_per_gpu() * config.tensor_parallel / 1e9),
        "more tensor parallelism (tp), a larger GPU or narrower weights");
  }

  void ReadTraffic(const yaml::Node& at) {
    FieldReader fields(at, "a traffic", faults_);
    TrafficSpec traffic;
    fields.Text("to", traffic.to);
    if (traffic.to.empty() && !scenario_.nodes.empty()) traffic.to = scenario_.nodes[0].name;
    CheckName(at, "to", traffic.to, names_);
    traffic.name = traffic.to;
    fields.Text("name", traffic.name);
    if (!traffic_names_.insert(traffic.name).second) {
      faults_.Add(at, fmt::format("two traffics are called \"{}\"", traffic.name));
    }
    if (const yaml::Node* workload = fields.Take("workload")) {
      traffic.workload = ReadWorkload(*workload);
    } else {
      traffic.workload = Preset(at, presets_.Workload("chat"));
    }
    fields.Number("rate", traffic.arrivals.per_second);
    fields.Number("burstiness", traffic.arrivals.burstiness, 1, 0.01);
    fields.Word("balance", kBalances, traffic.balance);
    fields.Number("skew", traffic.skew);
    traffic.gateway_delay_s = Seconds(ReadTime(fields, "gateway_delay", SimTime{}));
    scenario_.traffic.push_back(std::move(traffic));
  }

  WorkloadSpec ReadWorkload(const yaml::Node& node) {
    if (node.kind != yaml::Node::Kind::kMap) {
      return Preset(node, presets_.Workload(yaml::ReadText(node, "workload", faults_)));
    }
    FieldReader fields(node, "a workload", faults_);
    WorkloadSpec workload;
    std::string like;
    fields.Text("like", like);
    if (!like.empty()) workload = Preset(node, presets_.Workload(like));
    ReadWorkloadFields(fields, workload);
    if (workload.prompt_tokens.mean <= 0 || workload.output_tokens.mean <= 0) {
      faults_.Add(node, "a workload needs \"prompt_tokens\" and \"output_tokens\"",
                  "or \"like\" and the name of one that has them");
    }
    return workload;
  }

  void ReadEvent(const yaml::Node& at) {
    FieldReader fields(at, "an event", faults_);
    EventSpec event;
    event.at = ReadTime(fields, "at", SimTime{});
    fields.Text("traffic", event.traffic);
    fields.Text("node", event.node);
    if (event.traffic.empty() == event.node.empty()) {
      faults_.Add(at, "an event is of one \"traffic\" or of one \"node\"");
    }
    if (!event.traffic.empty()) CheckName(at, "traffic", event.traffic, traffic_names_);
    if (!event.node.empty()) CheckName(at, "node", event.node, names_);
    ReadEventFields(fields, !event.node.empty(), event);
    scenario_.events.push_back(std::move(event));
  }

  void CheckName(const yaml::Node& at, std::string_view key, const std::string& name,
                 const std::set<std::string>& names) {
    if (names.contains(name)) return;
    const std::vector<std::string_view> known(names.begin(), names.end());
    std::string hint = DidYouMean(name, known);
    if (hint.empty()) hint = fmt::format("there are {}", fmt::join(known, ", "));
    faults_.Add(at, fmt::format("\"{}\" names \"{}\", which does not exist", key, name), hint);
  }

  yaml::Faults faults_;
  const Presets& presets_;
  Scenario scenario_;
  std::set<std::string> names_;
  std::set<std::string> traffic_names_;
};

}  // namespace

Result<Scenario> ParseScenario(std::string_view text, std::string_view file_name,
                               const Presets& presets) {
  const Result<yaml::Node> document = yaml::Parse(text, file_name);
  if (!document) return std::unexpected(document.error());
  return ScenarioReader(file_name, presets).Read(*document);
}

}  // namespace firstword::simulate
