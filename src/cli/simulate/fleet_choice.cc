#include "cli/simulate/fleet_choice.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "cli/options/read_file.h"
#include "simulate/scenario/scenarios.h"

namespace firstword::cli {
namespace {

using simulate::EngineConfig;
using simulate::NodeSpec;
using simulate::Presets;
using simulate::Scenario;

constexpr std::size_t kMaxTraceBytes = std::size_t{1} << 30;
constexpr double kMostReplicas = 64;

// An engine in the place of another: it schedules and hosts as itself on the same GPUs,
// with the limits that the scenario is about.
Result<void> ReplaceEngine(NodeSpec& node, const std::string& choice, const Presets& presets,
                           const dialect::ExportCatalog& catalog) {
  const Result<dialect::ExportChoice> page = catalog.Choose(choice);
  if (!page) return Fail(page.error(), "--engine");
  node.engine = page->page->engine;
  node.version = page->version.ToString();
  const Result<EngineConfig> config = presets.Engine(node.engine, node.version);
  if (!config) return Fail(config.error(), "--engine");
  node.config.mixing = config->mixing;
  node.config.memory = config->memory;
  node.config.chunked_prefill = config->chunked_prefill;
  node.config.block_tokens = config->block_tokens;
  node.config.host = config->host;
  return {};
}

Result<void> ChangeNode(NodeSpec& node, const FleetChoice& choice, const Presets& presets,
                        const dialect::ExportCatalog& catalog) {
  if (!choice.engine.empty()) {
    const Result<void> replaced = ReplaceEngine(node, choice.engine, presets, catalog);
    if (!replaced) return replaced;
  }
  if (!choice.gpu.empty()) {
    const Result<simulate::GpuSpec> gpu = presets.Gpu(choice.gpu);
    if (!gpu) return Fail(gpu.error(), "--gpu");
    node.config.gpu = *gpu;
  }
  if (!choice.model.empty()) {
    const Result<simulate::ModelSpec> model = presets.Model(choice.model);
    if (!model) return Fail(model.error(), "--model");
    node.config.model = *model;
    node.config.tensor_parallel = model->default_tp;
  }
  if (choice.replicas) node.replicas = static_cast<std::uint32_t>(*choice.replicas);
  return {};
}

Result<void> CheckNumbers(const FleetChoice& choice) {
  if (choice.replicas && (*choice.replicas < 1 || *choice.replicas > kMostReplicas ||
                          *choice.replicas != std::floor(*choice.replicas))) {
    return Fail(ErrorCode::kInvalid, "--replicas: a whole number from 1 to 64 is needed");
  }
  if (choice.rate && *choice.rate > 100'000) {
    return Fail(ErrorCode::kInvalid, "--rate: at most 100000 requests a second");
  }
  if (choice.trace_speed && *choice.trace_speed <= 0) {
    return Fail(ErrorCode::kInvalid, "--trace-speed: a number above 0 is needed");
  }
  if (!choice.trace.empty() && (choice.rate || choice.no_traffic || !choice.workload.empty())) {
    return Fail(ErrorCode::kInvalid, "--trace says what comes and when",
                "leave out --rate, --workload and --no-traffic");
  }
  if (choice.scenario.size() > 1) {
    return Fail(ErrorCode::kInvalid,
                fmt::format("one scenario at a time, not {} as well", choice.scenario[1]));
  }
  return {};
}

}  // namespace

OptionGroup FleetOptionGroup(FleetChoice& choice) {
  return {"what to simulate",
          {{"--engine", "ENGINE[:VERSION]", "whose pages and scheduling: vllm:0.30, sglang, ...",
            "", &choice.engine},
           {"--gpu", "GPU", "h100, h200, a100-80, l4, ...", "", &choice.gpu},
           {"--model", "MODEL", "llama-3.1-8b, qwen3-32b, ...", "", &choice.model},
           {"--replicas", "N", "of each node of the scenario", "", &choice.replicas},
           {"--workload", "NAME", "chat, rag, summarise, agent, batch, reasoning", "",
            &choice.workload},
           {"--rate", "R", "requests a second, open loop; in a scenario: until its first event", "",
            &choice.rate},
           {"--trace", "FILE", "replay recorded requests (Mooncake, Azure or BurstGPT format)", "",
            &choice.trace},
           {"--trace-speed", "X", "replay X times as fast as recorded", "1", &choice.trace_speed},
           {"--no-traffic", "", "no users of its own: it waits for yours", "", &choice.no_traffic},
           {"--gpu-exporter", "EXPORTER[:VERSION]",
            "dcgm, dcgm-profiling, nvidia-gpu-exporter or none", "", &choice.gpu_exporter},
           {"--seed", "N", "another one: another day with the same odds", "1", &choice.seed}}};
}

Result<ChosenFleet> ChooseFleet(const FleetChoice& choice, const simulate::Presets& presets,
                                const dialect::ExportCatalog& catalog) {
  if (const Result<void> checked = CheckNumbers(choice); !checked) {
    return std::unexpected(checked.error());
  }
  Result<Scenario> scenario =
      simulate::FindScenario(choice.scenario.empty() ? "healthy" : choice.scenario[0], presets);
  if (!scenario) return std::unexpected(scenario.error());
  ChosenFleet chosen{.scenario = std::move(*scenario), .trace = {}};
  for (NodeSpec& node : chosen.scenario.nodes) {
    const Result<void> changed = ChangeNode(node, choice, presets, catalog);
    if (!changed) return std::unexpected(changed.error());
  }
  for (simulate::TrafficSpec& traffic : chosen.scenario.traffic) {
    if (choice.rate) traffic.arrivals.per_second = *choice.rate;
    if (choice.workload.empty()) continue;
    const Result<simulate::WorkloadSpec> workload = presets.Workload(choice.workload);
    if (!workload) return Fail(workload.error(), "--workload");
    traffic.workload = *workload;
  }
  if (choice.seed) chosen.scenario.seed = static_cast<std::uint64_t>(*choice.seed);
  if (choice.gpu_exporter == "none") {
    chosen.scenario.gpu_exporter.clear();
  } else if (!choice.gpu_exporter.empty()) {
    chosen.scenario.gpu_exporter = choice.gpu_exporter;
  }
  if (!choice.trace.empty()) {
    const Result<std::string> text = ReadFile(choice.trace, kMaxTraceBytes);
    if (!text) return Fail(text.error(), "--trace");
    Result<std::vector<simulate::TraceRow>> rows = simulate::ParseTrace(*text, choice.trace);
    if (!rows) return std::unexpected(rows.error());
    chosen.trace = std::move(*rows);
  }
  return chosen;
}

}  // namespace firstword::cli
