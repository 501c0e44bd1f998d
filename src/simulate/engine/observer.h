#pragma once

#include <cstdint>
#include <span>

#include "simulate/engine/request.h"
#include "simulate/engine/sim_time.h"

namespace firstword::simulate {

// One pass of the model over a batch.
struct StepReport {
  std::uint32_t rank = 0;
  SimTime begin{};
  SimTime end{};
  SimTime gpu{};  // of it, the GPU at work; the rest waits for the host
  std::uint32_t prefill_tokens = 0;
  std::uint32_t decode_tokens = 0;  // including drafted ones
  std::uint32_t prefill_sequences = 0;
  std::uint32_t decode_sequences = 0;
  double bytes = 0;       // moved to and from memory, a GPU
  double flops = 0;       // done, a GPU
  double link_bytes = 0;  // sent to peers, a GPU
  // Every request in it had been cancelled, so the core had nothing to tell: engines that
  // publish with their outputs (vLLM#22545) keep the gauges of the step before.
  bool silent = false;
};

// What a scheduler can say of itself; engines publish it after each step and not between
// steps, so an idle or a stuck engine goes on saying the last.
struct SchedulerState {
  std::uint32_t running = 0;
  std::uint32_t waiting = 0;        // including preempted ones
  std::uint32_t prefilling = 0;     // of the running
  std::uint32_t paused = 0;         // of the waiting, preempted ones
  std::uint32_t blocks = 0;         // usable
  std::uint32_t free_blocks = 0;    // nobody holds them; cached ones count
  std::uint32_t cached_blocks = 0;  // of the free ones, those that still hold a prefix
  std::uint64_t held_tokens = 0;    // in blocks that somebody holds
};

// Hears what happens inside one replica, which must not be called from here. Calls come in the
// order of the core's time; `seen` is when the front-end gives the tokens out, which is shortly
// after.
class Observer {
 public:
  virtual ~Observer() = default;

  virtual void OnArrived(RequestId, const Request&, SimTime /*now*/) {}
  // First scheduled: its prompt was looked up in the prefix cache.
  virtual void OnScheduled(const RequestRecord&) {}
  virtual void OnPreempted(const RequestRecord&, SimTime /*now*/) {}
  virtual void OnFirstToken(const RequestRecord&) {}
  // `requests` of a step gave out tokens after the first, each `gap` after its last ones;
  // `tokens` in all (more than `requests` with speculation).
  virtual void OnGap(std::uint32_t /*rank*/, SimTime /*gap*/, std::uint32_t /*requests*/,
                     std::uint32_t /*tokens*/) {}
  // Of a watched request; `count` >= 1.
  virtual void OnTokens(RequestId, std::uint32_t /*count*/, SimTime /*seen*/) {}
  virtual void OnFinished(const RequestRecord&) {}
  // A step begins; its end and its work are known already, unless the engine gets stuck.
  virtual void OnStepBegun(const StepReport&) {}
  virtual void OnStep(const StepReport&, const SchedulerState&) {}
  // One step verified drafts of `drafts` sequences, `drafted` tokens in all;
  // `accepted_at[i]` of the sequences accepted their draft token i.
  virtual void OnSpeculation(std::uint32_t /*rank*/, std::uint32_t /*drafts*/,
                             std::uint32_t /*drafted*/,
                             std::span<const std::uint32_t> /*accepted_at*/) {}
};

}  // namespace firstword::simulate
