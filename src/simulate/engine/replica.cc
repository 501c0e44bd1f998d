#include "simulate/engine/replica.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "base/check.h"
#include "simulate/engine/core.h"
#include "simulate/engine/frontend.h"
#include "simulate/engine/step_cost.h"

namespace firstword::simulate {

class Replica::Impl {
 public:
  Impl(EngineConfig config, std::uint64_t seed, Observer& observer)
      : config_(std::move(config)), model_(config_), frontend_(config_.host), observer_(observer) {
    const std::uint32_t blocks = config_.kv_blocks > 0 ? config_.kv_blocks : model_.KvBlocks();
    for (std::uint32_t rank = 0; rank < std::max(1u, config_.data_parallel); ++rank) {
      cores_.push_back(std::make_unique<Core>(config_, model_, rank, blocks, seed + rank, observer,
                                              [this](Sequence& sequence) { Recycle(sequence); }));
    }
  }

  RequestId Submit(Request request, SimTime now) {
    AdvanceTo(now);
    Sequence& sequence = Take();
    const RequestId id = ++last_id_;
    sequence.record = RequestRecord{.id = id, .streaming = request.streaming, .arrived = now};
    sequence.record.prompt_tokens = request.prompt_tokens();
    sequence.record.max_tokens =
        std::clamp(request.max_tokens, 1u, RoomFor(sequence.record.prompt_tokens));
    sequence.target_tokens = std::clamp(request.output_tokens, 1u, sequence.record.max_tokens);
    sequence.request = std::move(request);
    open_.emplace(id, &sequence);
    observer_.OnArrived(id, sequence.request, now);
    frontend_.Take(id, sequence.record.prompt_tokens, impairment_.host_factor, now);
    return id;
  }

  [[nodiscard]] std::uint32_t max_model_len() const {
    const std::uint64_t cache = std::uint64_t{cores_[0]->blocks()} * config_.block_tokens -
                                config_.speculation.draft_tokens;
    const std::uint64_t limit = config_.model.max_model_len;
    return static_cast<std::uint32_t>(limit > 0 ? std::min(limit, cache) : cache);
  }

  void Abort(RequestId id, SimTime now) {
    AdvanceTo(now);
    const auto found = open_.find(id);
    if (found == open_.end()) return;
    Sequence& sequence = *found->second;
    if (sequence.place == Sequence::Place::kFrontend) {
      sequence.aborted = true;  // noticed when it is tokenised
    } else {
      cores_[sequence.record.rank]->Abort(sequence, now);
    }
  }

  void AbortAll(SimTime now) {
    std::vector<RequestId> ids;
    for (const auto& [id, sequence] : open_) ids.push_back(id);
    std::ranges::sort(ids);
    for (const RequestId id : ids) Abort(id, now);
  }

  void Impair(const Impairment& impairment, SimTime now) {
    AdvanceTo(now);
    impairment_ = impairment;
    for (const auto& core : cores_) core->Impair(impairment, now);
  }

  [[nodiscard]] SimTime NextEvent() const {
    SimTime next = frontend_.next_event();
    for (const auto& core : cores_) next = std::min(next, core->next_event());
    return next;
  }

  void AdvanceTo(SimTime now) {
    CHECK(now >= now_);
    now_ = now;
    while (true) {
      const SimTime next = NextEvent();
      if (next > now || next == kNever) return;
      if (frontend_.next_event() == next) {
        FinishTokenising(next);
        continue;
      }
      for (const auto& core : cores_) {
        if (core->next_event() == next) core->EndStep();
      }
    }
  }

  [[nodiscard]] std::size_t open_requests() const { return open_.size(); }

  EngineConfig config_;
  StepModel model_;
  Frontend frontend_;
  Observer& observer_;
  std::vector<std::unique_ptr<Core>> cores_;
  Impairment impairment_;

 private:
  // Output tokens that fit behind a prompt, at least 1: callers refuse longer prompts.
  [[nodiscard]] std::uint32_t RoomFor(std::uint32_t prompt_tokens) const {
    const std::uint32_t limit = max_model_len();
    return prompt_tokens < limit ? limit - prompt_tokens : 1;
  }

  void FinishTokenising(SimTime now) {
    const RequestId id = frontend_.Pop();
    Sequence& sequence = *open_.at(id);
    if (sequence.aborted) {
      sequence.record.outcome = Outcome::kAbort;
      observer_.OnFinished(sequence.record);
      Recycle(sequence);
      return;
    }
    Core* core = cores_[0].get();
    if (impairment_.rank_skew <= 0 || !Skewed()) {
      core = std::ranges::min_element(cores_, {}, [](const auto& c) { return c->load(); })->get();
    }
    core->Enqueue(sequence, now);
  }

  // A fixed share of the requests, spread evenly, so that no random numbers are needed.
  bool Skewed() {
    skew_ += impairment_.rank_skew;
    if (skew_ < 1) return false;
    skew_ -= 1;
    return true;
  }

  Sequence& Take() {
    if (spare_.empty()) return pool_.emplace_back();
    Sequence& sequence = *spare_.back();
    spare_.pop_back();
    return sequence;
  }

  void Recycle(Sequence& sequence) {
    open_.erase(sequence.record.id);
    sequence.place = Sequence::Place::kFrontend;
    sequence.aborted = false;
    sequence.in_step = false;
    sequence.computed = 0;
    sequence.hashes.clear();
    spare_.push_back(&sequence);
  }

  std::deque<Sequence> pool_;  // addresses stay
  std::vector<Sequence*> spare_;
  absl::flat_hash_map<RequestId, Sequence*> open_;
  RequestId last_id_ = 0;
  SimTime now_{};
  double skew_ = 0;
};

Replica::Replica(EngineConfig config, std::uint64_t seed, Observer& observer)
    : impl_(std::make_unique<Impl>(std::move(config), seed, observer)) {}
Replica::~Replica() = default;

RequestId Replica::Submit(Request request, SimTime now) {
  return impl_->Submit(std::move(request), now);
}
void Replica::Abort(RequestId id, SimTime now) { impl_->Abort(id, now); }
void Replica::AbortAll(SimTime now) { impl_->AbortAll(now); }
void Replica::Impair(const Impairment& impairment, SimTime now) { impl_->Impair(impairment, now); }
SimTime Replica::NextEvent() const { return impl_->NextEvent(); }
void Replica::AdvanceTo(SimTime now) { impl_->AdvanceTo(now); }
const EngineConfig& Replica::config() const { return impl_->config_; }
std::uint32_t Replica::ranks() const { return static_cast<std::uint32_t>(impl_->cores_.size()); }
SchedulerState Replica::state(std::uint32_t rank) const { return impl_->cores_.at(rank)->state(); }
std::uint32_t Replica::kv_blocks() const { return impl_->cores_[0]->blocks(); }
std::uint32_t Replica::max_model_len() const { return impl_->max_model_len(); }
std::size_t Replica::open_requests() const { return impl_->open_requests(); }

}  // namespace firstword::simulate
