#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "simulate/engine/config.h"
#include "simulate/engine/observer.h"
#include "simulate/engine/request.h"

namespace firstword::simulate {

// What a fault does to a replica while it lasts. Neutral values change nothing.
struct Impairment {
  double clock_share = 1;  // of the GPU's clock that is left: prefill slows with it
  double bandwidth_share = 1;
  double host_factor = 1;  // on every cost of the host
  bool stuck = false;      // the core takes requests and does nothing
  double acceptance = -1;  // of draft tokens; negative: as configured
  bool prefix_cache_off = false;
  double rank_skew = 0;  // 0: to the least loaded rank; 1: all to rank 0
};

// One serving process with all its ranks: front-end, schedulers, caches, GPU steps. Pure:
// a virtual clock, a seed, no I/O; the same calls give the same life. Not thread-safe.
class Replica {
 public:
  // Hears of everything; must outlive the replica.
  Replica(EngineConfig config, std::uint64_t seed, Observer& observer);
  ~Replica();

  // Times must not go back. Takes a request in at `now`.
  RequestId Submit(Request request, SimTime now);
  // The client went away. Nothing happens when it has ended already.
  void Abort(RequestId id, SimTime now);
  void AbortAll(SimTime now);
  void Impair(const Impairment& impairment, SimTime now);

  // When something happens next without any call; kNever: nothing will.
  [[nodiscard]] SimTime NextEvent() const;
  // Lives through everything up to and including `now`.
  void AdvanceTo(SimTime now);

  [[nodiscard]] const EngineConfig& config() const;
  [[nodiscard]] std::uint32_t ranks() const;
  // As it is now, not as last published.
  [[nodiscard]] SchedulerState state(std::uint32_t rank) const;
  [[nodiscard]] std::uint32_t kv_blocks() const;  // of one rank
  // Tokens of prompt and output together that one request may have: the model's limit, or
  // what the cache can hold. Callers refuse longer prompts; a longer output ends by length.
  [[nodiscard]] std::uint32_t max_model_len() const;
  // Requests taken and not ended, front-end included.
  [[nodiscard]] std::size_t open_requests() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace firstword::simulate
