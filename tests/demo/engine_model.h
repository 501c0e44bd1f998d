#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace firstword::demo {

// Cumulative buckets with sum and count, as engines print them.
class LatencyHistogram {
 public:
  explicit LatencyHistogram(std::span<const double> bounds)
      : bounds_(bounds.begin(), bounds.end()), counts_(bounds.size()) {}
  void Observe(double seconds, double times = 1);
  // `labels` without braces; may be empty.
  [[nodiscard]] std::string Print(const std::string& name, const std::string& labels) const;

 private:
  std::vector<double> bounds_;
  std::vector<double> counts_;
  double sum_ = 0;
  double count_ = 0;
};

// A small queueing picture of one engine, advanced in steps of 100 ms: arrivals, a batch
// with a limit, a KV cache that fills and forces preemptions. Not a simulator: just enough
// for the figures on the page to agree with each other.
struct EngineModel {
  double arrivals_per_second = 2;
  double service_seconds = 8;  // at an empty engine
  int max_running = 32;
  double kv_per_request = 0.02;  // share of the cache

  void AdvanceTo(double seconds);

  // State, and what has been counted since the start.
  double now = 0;
  double running = 0;
  double waiting = 0;
  double kv = 0;
  double finished = 0;
  double preemptions = 0;
  double prompt_tokens = 0;
  double cached_tokens = 0;
  double generation_tokens = 0;
  LatencyHistogram ttft;
  LatencyHistogram queue;
  LatencyHistogram prefill;
  LatencyHistogram decode;
  LatencyHistogram itl;
  LatencyHistogram e2e;

  EngineModel(std::span<const double> ttft_bounds, std::span<const double> itl_bounds,
              std::span<const double> phase_bounds)
      : ttft(ttft_bounds),
        queue(phase_bounds),
        prefill(phase_bounds),
        decode(phase_bounds),
        itl(itl_bounds),
        e2e(phase_bounds) {}

 private:
  void Step(double seconds);

  double preempted_ = 0;  // of those waiting
  std::mt19937 random_{1};
};

}  // namespace firstword::demo
