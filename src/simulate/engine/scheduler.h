#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "simulate/engine/config.h"
#include "simulate/engine/kv_cache.h"
#include "simulate/engine/observer.h"
#include "simulate/engine/sequence.h"

namespace firstword::simulate {

// A sequence's share of a step.
struct Slot {
  Sequence* sequence = nullptr;
  std::uint32_t tokens = 0;
  bool decode = false;  // else a prompt, or what was lost by a preemption
};

// One rank's queue, running set and cache: who gets how many tokens of the next step.
class Scheduler {
 public:
  Scheduler(const EngineConfig& config, std::uint32_t rank, std::uint32_t blocks,
            Observer& observer);

  void Enqueue(Sequence& sequence);
  // Takes a sequence out of wherever it is and frees its blocks.
  void Remove(Sequence& sequence);
  // The next step's slots; empty when there is nothing to do. Valid until the next call.
  [[nodiscard]] std::span<const Slot> BuildStep(SimTime now);
  // A slot's tokens were computed: their full blocks can be found by others.
  void PublishBlocks(Sequence& sequence);

  [[nodiscard]] SchedulerState state() const;
  [[nodiscard]] std::size_t load() const { return waiting_.size() + running_.size(); }
  [[nodiscard]] KvCache& cache() { return cache_; }

 private:
  [[nodiscard]] std::uint32_t BlocksOf(std::uint64_t tokens) const;
  void ScheduleRunning(bool prompts, bool decodes, SimTime now);
  void AdmitWaiting(SimTime now);
  [[nodiscard]] bool Admit(Sequence& sequence, SimTime now);
  [[nodiscard]] bool HasRoomFor(const Sequence& sequence, std::uint32_t blocks) const;
  [[nodiscard]] bool MakeRoom(Sequence& sequence, std::uint32_t tokens, SimTime now);
  [[nodiscard]] Sequence* Victim() const;
  void Preempt(Sequence& sequence, SimTime now);
  void Hold(Sequence& sequence, std::uint32_t blocks);
  void Free(Sequence& sequence);
  [[nodiscard]] std::uint32_t ChunkOf(const Sequence& sequence) const;

  const EngineConfig& config_;
  const std::uint32_t rank_;
  Observer& observer_;
  KvCache cache_;
  std::deque<Sequence*> waiting_;
  std::vector<Sequence*> running_;  // in order of admission
  std::vector<Slot> slots_;
  std::uint32_t budget_ = 0;    // tokens left of the step being built
  bool preempted_ = false;      // while building it
  std::uint32_t paused_ = 0;    // of the waiting
  std::uint64_t promised_ = 0;  // blocks reserved and not yet held
  double output_guess_;         // SGLang's new_token_ratio
};

}  // namespace firstword::simulate
