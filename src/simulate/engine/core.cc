#include "simulate/engine/core.h"

#include <algorithm>
#include <utility>

namespace firstword::simulate {

Core::Core(const EngineConfig& config, const StepModel& model, std::uint32_t rank,
           std::uint32_t blocks, std::uint64_t seed, Observer& observer,
           std::function<void(Sequence&)> retire)
    : config_(config),
      model_(model),
      rank_(rank),
      blocks_(blocks),
      observer_(observer),
      retire_(std::move(retire)),
      scheduler_(config, rank, blocks, observer),
      random_(seed),
      accepted_at_(config.speculation.draft_tokens) {}

SchedulerState Core::state() const {
  SchedulerState state = scheduler_.state();
  state.prefilling = step_.end == kNever ? 0 : step_.prefill_sequences;
  return state;
}

void Core::Enqueue(Sequence& sequence, SimTime now) {
  sequence.record.queued = now;
  sequence.record.rank = rank_;
  scheduler_.Enqueue(sequence);
  if (step_.end == kNever && !stuck_) BeginStep(now);
}

void Core::Abort(Sequence& sequence, SimTime /*now*/) {
  // A step cannot be called back: its tokens are computed and thrown away.
  if (sequence.in_step && step_.end != kNever) {
    sequence.aborted = true;
  } else {
    Retire(sequence, Outcome::kAbort);
  }
}

void Core::Impair(const Impairment& impairment, SimTime now) {
  if (impairment.prefix_cache_off != impairment_.prefix_cache_off) {
    scheduler_.cache().set_prefix_caching(config_.prefix_caching && !impairment.prefix_cache_off);
  }
  impairment_ = impairment;
  const bool freed = stuck_ && !impairment.stuck;
  stuck_ = impairment.stuck;
  if (!freed) return;
  if (step_.end == kNever) {
    BeginStep(now);
  } else {
    step_.end = std::max(step_.end, now);
  }
}

void Core::BeginStep(SimTime now) {
  slots_ = scheduler_.BuildStep(now);
  step_ = StepReport{.rank = rank_, .begin = now, .end = kNever};
  if (slots_.empty()) return;
  BatchShape batch;
  for (const Slot& slot : slots_) {
    const double context = slot.sequence->computed;
    const double tokens = slot.tokens;
    batch.attended += tokens * (context + (tokens + 1) / 2);
    batch.read_tokens += context;
    (slot.decode ? batch.decode_tokens : batch.prefill_tokens) += slot.tokens;
    ++(slot.decode ? batch.decode_sequences : batch.prefill_sequences);
  }
  const StepCost cost = model_.Cost(batch, impairment_.clock_share, impairment_.bandwidth_share);
  const double host = cost.host_s * impairment_.host_factor;
  const double whole = config_.host.overlapped ? std::max(cost.gpu_s, host) : cost.gpu_s + host;
  step_.gpu = FromSeconds(cost.gpu_s);
  step_.end = now + std::max(SimTime(1), FromSeconds(whole));
  step_.prefill_tokens = batch.prefill_tokens;
  step_.decode_tokens = batch.decode_tokens;
  step_.prefill_sequences = batch.prefill_sequences;
  step_.decode_sequences = batch.decode_sequences;
  step_.bytes = cost.bytes;
  step_.flops = cost.flops;
  step_.link_bytes = cost.link_bytes;
  output_delay_ = FromSeconds(cost.output_s * impairment_.host_factor);
  observer_.OnStepBegun(step_);
}

std::uint32_t Core::Accepted(std::uint32_t drafted) {
  const double acceptance =
      impairment_.acceptance >= 0 ? impairment_.acceptance : config_.speculation.acceptance;
  std::uint32_t accepted = 0;
  std::uniform_real_distribution<double> chance(0, 1);
  while (accepted < drafted && chance(random_) < acceptance) ++accepted_at_[accepted++];
  return accepted;
}

void Core::FlushGap() {
  if (gap_requests_ > 0) observer_.OnGap(rank_, gap_, gap_requests_, gap_tokens_);
  gap_requests_ = 0;
  gap_tokens_ = 0;
}

void Core::GiveToken(const Slot& slot) {
  Sequence& sequence = *slot.sequence;
  RequestRecord& record = sequence.record;
  std::uint32_t tokens = 1;
  if (slot.decode && slot.tokens > 1) {
    ++drafts_;
    drafted_ += slot.tokens - 1;
    const std::uint32_t accepted = Accepted(slot.tokens - 1);
    tokens = std::min(1 + accepted, sequence.target_tokens - record.output_tokens);
  }
  // What was computed of drafts is kept as far as it was accepted.
  sequence.computed += slot.decode ? tokens : slot.tokens;
  scheduler_.PublishBlocks(sequence);
  if (sequence.computed < sequence.known()) return;  // a chunk of a prompt
  record.output_tokens += tokens;
  record.last_token = step_.end;
  if (record.first_token == kNever) {
    record.first_token = step_.end;
    record.first_seen = seen_;
    record.last_seen = seen_;
    observer_.OnFirstToken(record);
  } else {
    const SimTime gap = seen_ - record.last_seen;
    if (gap != gap_) FlushGap();
    gap_ = gap;
    ++gap_requests_;
    gap_tokens_ += tokens;
    record.last_seen = seen_;
  }
  if (sequence.request.watched) observer_.OnTokens(record.id, tokens, seen_);
}

void Core::Retire(Sequence& sequence, Outcome outcome) {
  scheduler_.Remove(sequence);
  sequence.record.outcome = outcome;
  observer_.OnFinished(sequence.record);
  retire_(sequence);
}

void Core::EndStep() {
  const SimTime now = step_.end;
  seen_ = std::max(seen_, now + output_delay_);
  bool any_alive = false;
  for (const Slot& slot : slots_) {
    slot.sequence->in_step = false;
    if (slot.sequence->aborted) continue;
    any_alive = true;
    GiveToken(slot);
  }
  FlushGap();
  if (drafts_ > 0) {
    observer_.OnSpeculation(rank_, drafts_, drafted_, accepted_at_);
    drafts_ = drafted_ = 0;
    std::ranges::fill(accepted_at_, 0);
  }
  for (const Slot& slot : slots_) {
    Sequence& sequence = *slot.sequence;
    const RequestRecord& record = sequence.record;
    if (sequence.aborted) {
      Retire(sequence, Outcome::kAbort);
    } else if (record.output_tokens >= sequence.target_tokens) {
      const bool by_itself = sequence.request.output_tokens <= record.max_tokens;
      Retire(sequence, by_itself ? Outcome::kStop : Outcome::kLength);
    }
  }
  slots_ = {};
  StepReport ended = std::exchange(step_, StepReport{.end = kNever});
  ended.silent = !any_alive;
  SchedulerState after = scheduler_.state();
  after.prefilling = ended.prefill_sequences;
  observer_.OnStep(ended, after);
  BeginStep(now);
}

}  // namespace firstword::simulate
