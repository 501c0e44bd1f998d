#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "simulate/engine/replica.h"
#include "simulate/engine/scheduler.h"
#include "simulate/engine/step_cost.h"

namespace firstword::simulate {

// The engine core of one rank: one step after another as long as there is work.
class Core {
 public:
  // `retire` takes a sequence that has ended; its record is complete.
  Core(const EngineConfig& config, const StepModel& model, std::uint32_t rank, std::uint32_t blocks,
       std::uint64_t seed, Observer& observer, std::function<void(Sequence&)> retire);

  void Enqueue(Sequence& sequence, SimTime now);
  void Abort(Sequence& sequence, SimTime now);
  void Impair(const Impairment& impairment, SimTime now);

  // The end of the step under way; kNever when idle or stuck.
  [[nodiscard]] SimTime next_event() const { return stuck_ ? kNever : step_.end; }
  // Ends the step at `next_event()` and begins the next.
  void EndStep();

  [[nodiscard]] SchedulerState state() const;
  [[nodiscard]] std::size_t load() const { return scheduler_.load(); }
  [[nodiscard]] std::uint32_t blocks() const { return blocks_; }

 private:
  void BeginStep(SimTime now);
  void GiveToken(const Slot& slot);
  [[nodiscard]] std::uint32_t Accepted(std::uint32_t drafted);
  void Retire(Sequence& sequence, Outcome outcome);
  void FlushGap();

  const EngineConfig& config_;
  const StepModel& model_;
  const std::uint32_t rank_;
  const std::uint32_t blocks_;
  Observer& observer_;
  std::function<void(Sequence&)> retire_;
  Scheduler scheduler_;
  std::mt19937_64 random_;

  std::span<const Slot> slots_;  // of the step under way
  StepReport step_{.end = kNever};
  SimTime output_delay_{};
  SimTime seen_{};  // when the tokens of the step that ends are given out
  Impairment impairment_;
  bool stuck_ = false;

  // Equal gaps in a row are told once.
  SimTime gap_{};
  std::uint32_t gap_requests_ = 0;
  std::uint32_t gap_tokens_ = 0;
  std::uint32_t drafts_ = 0;
  std::uint32_t drafted_ = 0;
  std::vector<std::uint32_t> accepted_at_;
};

}  // namespace firstword::simulate
