#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dialect/exports/page_spec.h"
#include "simulate/engine/observer.h"
#include "simulate/pages/quantities.h"
#include "simulate/pages/replica_facts.h"

namespace firstword::simulate {

// Sum and count of everything observed.
struct DistributionTotals {
  double sum = 0;
  std::uint64_t count = 0;
};

// Plain numbers of one rank; they only grow unless it says otherwise.
struct RankRecord {
  std::uint64_t preemptions = 0;
  std::uint64_t prompt_tokens = 0;         // at first tokens
  std::uint64_t cached_prompt_tokens = 0;  // of them
  std::uint64_t generation_tokens = 0;     // as given out
  std::array<std::uint64_t, 4> ended{};    // by Outcome
  std::uint64_t ended_prompt_tokens = 0;   // of requests that ended by themselves
  std::uint64_t ended_generation_tokens = 0;
  std::uint64_t ended_cached_tokens = 0;
  std::uint64_t ended_streaming_prompt_tokens = 0;
  std::uint64_t ended_streaming_generation_tokens = 0;
  std::uint32_t longest_context = 0;  // prompt and output of one request
  std::uint64_t prefix_queries = 0;   // tokens
  std::uint64_t prefix_hits = 0;
  std::uint64_t prefix_query_blocks = 0;
  std::uint64_t prefix_hit_blocks = 0;
  std::uint64_t steps = 0;
  std::uint64_t step_sequences = 0;  // summed over steps
  std::uint64_t drafts = 0;
  std::uint64_t draft_tokens = 0;
  std::uint64_t accepted_tokens = 0;
  std::array<std::uint64_t, 10> accepted_at{};
  double busy_s = 0;  // inside steps

  // These move both ways: of the last step, or about the last second of steps.
  SchedulerState state;
  StepReport last_step;
  double draft_length = 0;
  double accept_length = 0;
  double accept_rate = 0;
  double cache_hit_rate = 0;  // of the last step that looked prompts up
  double generation_tokens_per_s = 0;
  double prompt_tokens_per_s = 0;

  std::array<DistributionTotals, kDistributions> distributions{};
};

// Numbers of the front-end.
struct FrontendRecord {
  std::uint64_t received = 0;
  std::uint64_t rejected = 0;
  std::uint64_t http_2xx = 0;
  std::uint64_t http_4xx = 0;
  std::uint64_t http_5xx = 0;
  std::uint64_t http_active = 0;  // now
};

// Hears one replica and keeps what its page needs: numbers for every rank, and the buckets
// that one page asks for. Nothing allocates after construction.
class Recorder final : public Observer {
 public:
  Recorder(const dialect::PageSpec& page, ReplicaFacts facts);

  // For a replica that tells them only once it is built. Before the first step.
  void set_kv_blocks(std::uint32_t blocks);
  // "host:port", once it is known.
  void set_address(const std::string& host_and_port) {
    facts_.instance = host_and_port;
    facts_.worker = host_and_port;
  }
  // A request that the front-end answered itself and the engine never heard of. 429 and 503
  // count as rejected.
  void CountHttp(int status, std::size_t request_bytes, std::size_t response_bytes);

  void OnArrived(RequestId id, const Request& request, SimTime now) override;
  void OnScheduled(const RequestRecord& record) override;
  void OnPreempted(const RequestRecord& record, SimTime now) override;
  void OnFirstToken(const RequestRecord& record) override;
  void OnGap(std::uint32_t rank, SimTime gap, std::uint32_t requests,
             std::uint32_t tokens) override;
  void OnFinished(const RequestRecord& record) override;
  void OnStep(const StepReport& step, const SchedulerState& state) override;
  void OnSpeculation(std::uint32_t rank, std::uint32_t drafts, std::uint32_t drafted,
                     std::span<const std::uint32_t> accepted_at) override;

  [[nodiscard]] const ReplicaFacts& facts() const { return facts_; }
  [[nodiscard]] std::uint32_t ranks() const { return static_cast<std::uint32_t>(ranks_.size()); }
  [[nodiscard]] const RankRecord& rank(std::uint32_t index) const { return ranks_[index].record; }
  [[nodiscard]] const FrontendRecord& frontend() const { return frontend_; }
  // Observations in each bucket of the page's histogram `index`, not added up; one more
  // than its bounds, for +Inf.
  [[nodiscard]] std::span<const std::uint64_t> buckets(std::uint32_t rank,
                                                       std::size_t index) const {
    return ranks_[rank].histograms[index].counts;
  }

 private:
  struct Histogram {
    std::vector<double> bounds;  // in the quantity's own unit
    std::vector<std::uint64_t> counts;
    std::size_t last = 0;  // bucket of the last observation: gaps come in long equal runs
  };
  struct Rank {
    RankRecord record;
    std::vector<Histogram> histograms;  // as on the page
    std::uint64_t looked_up = 0;        // tokens since the last step
    std::uint64_t found = 0;
    // Where the window of the throughputs began.
    SimTime window_begin{};
    std::uint64_t window_generated = 0;
    std::uint64_t window_prompted = 0;
    std::uint64_t last_generated = 0;  // at the end of the last step
    std::uint64_t last_prompted = 0;
  };

  void Observe(Rank& rank, Distribution distribution, double value, std::uint64_t weight = 1);
  void ObserveEnd(Rank& rank, Distribution distribution, double value, bool aborted);
  void CountEndedHttp(const RequestRecord& record, double e2e);
  static void UpdateThroughput(Rank& rank, const StepReport& step);

  ReplicaFacts facts_;
  bool gauges_with_output_;
  std::vector<Rank> ranks_;
  // For each distribution, which of the page's histograms show it.
  std::array<std::vector<std::uint16_t>, kDistributions> shown_in_;
  FrontendRecord frontend_;
};

}  // namespace firstword::simulate
