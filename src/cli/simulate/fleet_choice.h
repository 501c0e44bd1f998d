#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/options/command.h"
#include "dialect/exports/export_catalog.h"
#include "simulate/presets/presets.h"
#include "simulate/scenario/scenario.h"
#include "simulate/traffic/trace_file.h"

namespace firstword::cli {

// Which fleet to simulate, as the command line says it.
struct FleetChoice {
  std::vector<std::string> scenario;  // none: a healthy replica, or what the options make of it
  std::string engine;                 // "vllm:0.30"
  std::string gpu;
  std::string model;
  std::string workload;
  std::string gpu_exporter;
  std::optional<double> replicas;
  std::optional<double> rate;
  std::optional<double> seed;
  std::string trace;
  std::optional<double> trace_speed;
  bool no_traffic = false;
};

// The options that fill `choice`, which must stay where it is.
[[nodiscard]] OptionGroup FleetOptionGroup(FleetChoice& choice);

// A scenario with what the options change of it, and a trace to replay when one is named.
struct ChosenFleet {
  simulate::Scenario scenario;
  std::vector<simulate::TraceRow> trace;
};
[[nodiscard]] Result<ChosenFleet> ChooseFleet(const FleetChoice& choice,
                                              const simulate::Presets& presets,
                                              const dialect::ExportCatalog& catalog);

}  // namespace firstword::cli
