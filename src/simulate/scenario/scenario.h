#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "simulate/engine/config.h"
#include "simulate/engine/sim_time.h"
#include "simulate/presets/presets.h"
#include "simulate/traffic/traffic.h"
#include "simulate/traffic/workload.h"

namespace firstword::simulate {

// Replicas of one kind.
struct NodeSpec {
  std::string name;     // "chat"; with several replicas "chat-0", "chat-1", ...
  std::string engine;   // "vllm"
  std::string version;  // "0.30"
  std::uint32_t replicas = 1;
  EngineConfig config;       // GPU, model and all settings, filled in
  double cold_start_s = 30;  // from a crash to serving again
};

enum class Balance : std::uint8_t { kLeastRequests, kRoundRobin, kBySession };

struct TrafficSpec {
  std::string name;
  std::string to;  // a node's name; all its replicas
  WorkloadSpec workload;
  ArrivalSpec arrivals;
  Balance balance = Balance::kLeastRequests;
  // Share of the requests that go to the first replica whatever the balance says.
  double skew = 0;
  // Seconds that a gateway in front of the replicas adds before the engine sees a request.
  double gateway_delay_s = 0;
};

// What happens at a moment: what is set changes, all else stays as it was. An event speaks
// of one traffic, or of one node (one of its replicas, or all).
struct EventSpec {
  SimTime at{};
  std::string traffic;
  std::string node;
  std::optional<std::uint32_t> replica;

  std::optional<double> rate, prompt_factor, output_factor, skew, gateway_delay_s;  // traffic
  std::optional<bool> prefixes_shared;

  std::optional<double> clock_share, bandwidth_share, host_factor, acceptance, rank_skew;  // node
  std::optional<bool> stuck, prefix_cache_off;
  bool abort_all = false;
  bool crash = false;        // dies now, serves again after its cold start
  double crash_every_s = 0;  // and dies again as long after each start; 0: as before
  bool restart = false;      // the process alone, at once: counters begin anew

  // GPUs of the node.
  std::optional<std::uint32_t> gpu;                    // of the replica; else all of them
  std::optional<std::uint32_t> xid, ecc_sbe, ecc_dbe;  // a code; counts that are added
  std::optional<bool> gpu_lost, hw_thermal, sw_power_cap, telemetry_zero, row_remap_failure;
};

// One thing that can be wrong with a fleet, or nothing: what runs, who comes, what happens.
struct Scenario {
  std::string name;   // "kv-thrash"
  std::string title;  // a line
  std::string story;  // what to look at, for people
  std::string shape;  // the true one, a label of docs/scenarios.md; "healthy"
  SimTime onset{};    // when it begins; 0: from the start
  bool more_replicas_help = false;
  SimTime duration{};  // of a run in virtual time
  std::uint64_t seed = 1;
  std::vector<NodeSpec> nodes;
  std::vector<TrafficSpec> traffic;
  std::vector<EventSpec> events;  // in order of time
  std::string gpu_exporter;       // "dcgm-profiling:4.2.3"; empty: none
  std::string gateway;            // in front of all replicas: "vllm-router"; empty: none
  double gpu_interval_s = 1;      // between the exporter's own collections
};

}  // namespace firstword::simulate
