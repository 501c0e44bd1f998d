#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "simulate/engine/replica.h"

namespace firstword::simulate {

// A small dense model on a big GPU, as tests like it: round numbers, no host work.
inline EngineConfig PlainConfig() {
  EngineConfig config;
  config.gpu = {.name = "test",
                .model_name = "Test GPU",
                .memory_gib = 80,
                .bandwidth_bytes_per_s = 3.35e12,
                .bf16_flops = 989e12,
                .power_limit_watts = 700,
                .idle_watts = 70};
  config.model = {.name = "test-8b",
                  .served_as = "test-8b",
                  .parameters = 8.03e9,
                  .active_parameters = 7.5e9,
                  .layers = 32,
                  .hidden = 4096,
                  .heads = 32,
                  .kv_heads = 8,
                  .head_dim = 128,
                  .max_model_len = 32768};
  return config;
}

// A request whose prompt nobody shares.
inline Request PlainRequest(std::uint64_t text, std::uint32_t prompt, std::uint32_t output) {
  Request request;
  request.prompt = {{.text = text, .offset = 0, .tokens = prompt}};
  request.output_tokens = output;
  request.max_tokens = output;
  return request;
}

// Keeps what an observer hears.
class Recorded final : public Observer {
 public:
  void OnFirstToken(const RequestRecord&) override { ++first_tokens; }
  void OnPreempted(const RequestRecord&, SimTime) override { ++preemptions; }
  void OnGap(std::uint32_t, SimTime gap, std::uint32_t requests, std::uint32_t count) override {
    gap_requests += requests;
    gap_tokens += count;
    gap_seconds += Seconds(gap) * requests;
  }
  void OnTokens(RequestId id, std::uint32_t count, SimTime seen) override {
    tokens[id] += count;
    seen_at[id].push_back(seen);
  }
  void OnFinished(const RequestRecord& record) override { finished.push_back(record); }
  void OnStep(const StepReport& step, const SchedulerState& state) override {
    ++steps;
    if (state.free_blocks > state.blocks || state.cached_blocks > state.free_blocks) ++impossible;
    most_running = std::max(most_running, state.running);
    gpu_seconds += Seconds(step.gpu);
    prefill_tokens += step.prefill_tokens;
    last = state;
    last_step = step;
  }
  void OnSpeculation(std::uint32_t, std::uint32_t drafts, std::uint32_t tried,
                     std::span<const std::uint32_t> accepted_at) override {
    speculated += drafts;
    drafted += tried;
    for (const std::uint32_t count : accepted_at) accepted += count;
  }

  std::uint64_t steps = 0, first_tokens = 0, preemptions = 0, impossible = 0;
  std::uint64_t gap_requests = 0, gap_tokens = 0, prefill_tokens = 0;
  std::uint64_t speculated = 0, drafted = 0, accepted = 0;
  double gap_seconds = 0, gpu_seconds = 0;
  std::uint32_t most_running = 0;
  SchedulerState last;
  StepReport last_step;
  std::map<RequestId, std::uint64_t> tokens;
  std::map<RequestId, std::vector<SimTime>> seen_at;
  std::vector<RequestRecord> finished;
};

// Lives until nothing is left to do.
inline SimTime Drain(Replica& replica) {
  SimTime now{};
  while (replica.NextEvent() != kNever) {
    now = replica.NextEvent();
    replica.AdvanceTo(now);
  }
  return now;
}

}  // namespace firstword::simulate
