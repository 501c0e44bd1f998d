#pragma once

#include "simulate/engine/test_engine.h"
#include "simulate/fleet/fleet.h"

namespace firstword::simulate {

// Chat on `replicas` plain vLLM servers at `rate` requests a second.
inline Scenario ChatScenario(std::uint32_t replicas, double rate) {
  Scenario scenario;
  scenario.name = "test";
  scenario.title = "Chat";
  scenario.shape = "healthy";
  scenario.duration = FromSeconds(300);
  scenario.gpu_exporter = "dcgm-profiling";
  EngineConfig config = PlainConfig();
  config.gpu.sm_clock_mhz = 1980;
  config.gpu.mem_clock_mhz = 2619;
  scenario.nodes = {{.name = "chat",
                     .engine = "vllm",
                     .version = "0.30",
                     .replicas = replicas,
                     .config = config,
                     .cold_start_s = 20}};
  TrafficSpec traffic{.name = "users", .to = "chat", .arrivals = {.per_second = rate}};
  traffic.workload.groups = 4;
  traffic.workload.shared_tokens = {.mean = 300};
  traffic.workload.prompt_tokens = {
      .shape = Spread::Shape::kLognormal, .mean = 400, .cv = 1, .max = 8000};
  traffic.workload.output_tokens = {.shape = Spread::Shape::kLognormal, .mean = 200, .cv = 0.6};
  scenario.traffic = {traffic};
  return scenario;
}

inline std::unique_ptr<Fleet> MakeFleet(Scenario scenario, FleetOptions options = {}) {
  // Pages point into the catalog only while they are resolved.
  static const Result<dialect::ExportCatalog> catalog = dialect::ExportCatalog::LoadBuiltin();
  Result<std::unique_ptr<Fleet>> fleet =
      Fleet::Create(std::move(scenario), *catalog, std::move(options));
  return fleet ? std::move(*fleet) : nullptr;
}

}  // namespace firstword::simulate
