#include "simulate/engine/scheduler.h"

#include <algorithm>

#include "base/check.h"
#include "simulate/engine/prefix_hash.h"

namespace firstword::simulate {
namespace {

// SGLang's new_token_ratio with its default conservativeness: which share of their
// max_tokens running requests are expected to need. It sinks a little with each decode
// step and jumps back when the guess was too low.
constexpr double kFirstGuess = 0.7;
constexpr double kLeastGuess = 0.098;
constexpr double kGuessDecay = 0.001;
constexpr std::uint32_t kGuessTokens = 4096;  // of max_tokens, no more are counted

bool MoreUrgent(const Sequence& a, const Sequence& b) {
  if (a.request.priority != b.request.priority) return a.request.priority < b.request.priority;
  return a.record.queued < b.record.queued;
}

}  // namespace

Scheduler::Scheduler(const EngineConfig& config, std::uint32_t rank, std::uint32_t blocks,
                     Observer& observer)
    : config_(config),
      rank_(rank),
      observer_(observer),
      cache_(blocks, config.prefix_caching),
      output_guess_(kFirstGuess) {}

std::uint32_t Scheduler::BlocksOf(std::uint64_t tokens) const {
  return static_cast<std::uint32_t>((tokens + config_.block_tokens - 1) / config_.block_tokens);
}

void Scheduler::Enqueue(Sequence& sequence) {
  sequence.place = Sequence::Place::kWaiting;
  auto at = waiting_.end();
  if (config_.priority_scheduling) {
    at = std::ranges::upper_bound(waiting_, &sequence, [](const Sequence* a, const Sequence* b) {
      return MoreUrgent(*a, *b);
    });
  }
  waiting_.insert(at, &sequence);
}

void Scheduler::Free(Sequence& sequence) {
  cache_.Release(sequence.table);
  promised_ -= sequence.reserved_blocks;
  sequence.reserved_blocks = 0;
  sequence.published = 0;
}

void Scheduler::Remove(Sequence& sequence) {
  if (sequence.place == Sequence::Place::kWaiting) {
    const auto at = std::ranges::find(waiting_, &sequence);
    CHECK(at != waiting_.end());
    waiting_.erase(at);
    if (sequence.record.scheduled != kNever) --paused_;
  } else if (sequence.place == Sequence::Place::kRunning) {
    running_.erase(std::ranges::find(running_, &sequence));
  }
  Free(sequence);
  sequence.place = Sequence::Place::kGone;
}

void Scheduler::Preempt(Sequence& sequence, SimTime now) {
  running_.erase(std::ranges::find(running_, &sequence));
  if (sequence.in_step) {
    const auto slot = std::ranges::find(slots_, &sequence, &Slot::sequence);
    budget_ += slot->tokens;
    slots_.erase(slot);
    sequence.in_step = false;
  }
  Free(sequence);
  sequence.computed = 0;
  ++sequence.record.preemptions;
  preempted_ = true;
  ++paused_;
  sequence.place = Sequence::Place::kWaiting;
  if (config_.memory == MemoryPolicy::kRetract) {
    waiting_.push_back(&sequence);
    output_guess_ = kFirstGuess;
  } else {
    waiting_.push_front(&sequence);
  }
  observer_.OnPreempted(sequence.record, now);
}

Sequence* Scheduler::Victim() const {
  if (config_.memory == MemoryPolicy::kRetract) {
    return *std::ranges::min_element(running_, [](const Sequence* a, const Sequence* b) {
      if (a->record.output_tokens != b->record.output_tokens) {
        return a->record.output_tokens < b->record.output_tokens;
      }
      return a->record.prompt_tokens > b->record.prompt_tokens;
    });
  }
  if (!config_.priority_scheduling) return running_.back();
  return *std::ranges::max_element(
      running_, [](const Sequence* a, const Sequence* b) { return MoreUrgent(*a, *b); });
}

void Scheduler::Hold(Sequence& sequence, std::uint32_t blocks) {
  CHECK(cache_.Allocate(blocks, sequence.table));
  const std::uint32_t kept = std::min(blocks, sequence.reserved_blocks);
  sequence.reserved_blocks -= kept;
  promised_ -= kept;
}

// Blocks for all tokens up to computed + `tokens`; false when `sequence` itself had to go.
bool Scheduler::MakeRoom(Sequence& sequence, std::uint32_t tokens, SimTime now) {
  const std::uint32_t wanted = BlocksOf(std::uint64_t{sequence.computed} + tokens);
  const auto held = static_cast<std::uint32_t>(sequence.table.size());
  if (wanted <= held) return true;
  while (cache_.free_blocks() < wanted - held) {
    Sequence* victim = Victim();
    Preempt(*victim, now);
    if (victim == &sequence) return false;
  }
  Hold(sequence, wanted - held);
  return true;
}

std::uint32_t Scheduler::ChunkOf(const Sequence& sequence) const {
  std::uint32_t tokens = sequence.known() - sequence.computed;
  if (config_.long_prefill_threshold > 0 && config_.chunked_prefill) {
    tokens = std::min(tokens, config_.long_prefill_threshold);
  }
  return std::min(tokens, budget_);
}

void Scheduler::ScheduleRunning(bool prompts, bool decodes, SimTime now) {
  for (std::size_t i = 0; i < running_.size() && budget_ > 0;) {
    Sequence& sequence = *running_[i];
    const bool decode = sequence.decoding();
    if (decode ? !decodes : !prompts) {
      ++i;
      continue;
    }
    const std::uint32_t tokens =
        decode ? std::min(budget_, 1 + config_.speculation.draft_tokens) : ChunkOf(sequence);
    const std::size_t before = running_.size();
    const bool room = MakeRoom(sequence, tokens, now);
    if (room) {
      slots_.push_back({&sequence, tokens, decode});
      sequence.in_step = true;
      budget_ -= tokens;
    }
    // Victims are mostly the last ones, but by priority or length they may stand before.
    if (running_.size() == before) {
      ++i;
    } else if (room) {
      i = static_cast<std::size_t>(std::ranges::find(running_, &sequence) - running_.begin()) + 1;
    } else {
      i = std::min(i, running_.size());
    }
  }
}

bool Scheduler::HasRoomFor(const Sequence& sequence, std::uint32_t blocks) const {
  const std::uint64_t free = cache_.free_blocks();
  switch (config_.memory) {
    case MemoryPolicy::kRecompute:
    case MemoryPolicy::kMaxUtilization: {
      // vLLM V0 kept a hundredth of its blocks free when it admitted.
      const bool watermark = config_.mixing == Mixing::kPrefillFirst && !running_.empty();
      return blocks + (watermark ? cache_.blocks() / 100 : 0) <= free;
    }
    case MemoryPolicy::kReserve: {
      const std::uint64_t all =
          BlocksOf(std::uint64_t{sequence.record.prompt_tokens} + sequence.record.max_tokens);
      return std::max<std::uint64_t>(blocks,
                                     all - std::min<std::uint64_t>(all, sequence.table.size())) +
                 promised_ <=
             free;
    }
    case MemoryPolicy::kRetract: {
      double expected = 0;  // tokens that running requests will still say
      for (const Sequence* other : running_) {
        const std::uint32_t left = other->record.max_tokens -
                                   std::min(other->record.max_tokens, other->record.output_tokens);
        expected += std::min(left, kGuessTokens) * output_guess_;
      }
      const double own =
          sequence.known() + std::min(sequence.record.max_tokens, kGuessTokens) * output_guess_;
      const double all =
          (expected + own) / config_.block_tokens - static_cast<double>(sequence.table.size());
      // An empty engine takes anything that fits at all.
      return blocks <= free && (running_.empty() || all <= static_cast<double>(free));
    }
  }
  return false;
}

bool Scheduler::Admit(Sequence& sequence, SimTime now) {
  // At least one token is computed anew, or there would be nothing to predict from.
  const std::uint32_t most = (sequence.known() - 1) / config_.block_tokens;
  ExtendPrefixHashes(sequence.request.prompt, config_.block_tokens, most, sequence.hashes);
  const std::span<const std::uint64_t> hashes(sequence.hashes.data(), most);
  const std::span<const std::uint64_t> hits = hashes.first(cache_.CountHits(hashes));
  sequence.computed = static_cast<std::uint32_t>(hits.size()) * config_.block_tokens;
  const std::uint32_t missing = sequence.known() - sequence.computed;
  const std::uint32_t chunk = ChunkOf(sequence);
  // Without chunks a prompt runs whole, alone if it is longer than any budget.
  const bool whole = config_.chunked_prefill || chunk == missing || slots_.empty();
  const std::uint32_t tokens = config_.chunked_prefill ? chunk : missing;
  cache_.Share(hits, sequence.table);
  const std::uint32_t blocks =
      BlocksOf(std::uint64_t{sequence.computed} + tokens) - static_cast<std::uint32_t>(hits.size());
  if (!whole || !HasRoomFor(sequence, blocks)) {
    cache_.Release(sequence.table);
    sequence.computed = 0;
    return false;
  }
  if (config_.memory == MemoryPolicy::kReserve) {
    const std::uint32_t all =
        BlocksOf(std::uint64_t{sequence.record.prompt_tokens} + sequence.record.max_tokens);
    sequence.reserved_blocks =
        all - std::min<std::uint32_t>(all, static_cast<std::uint32_t>(hits.size()));
    promised_ += sequence.reserved_blocks;
  }
  Hold(sequence, blocks);
  sequence.published = static_cast<std::uint32_t>(hits.size());
  sequence.place = Sequence::Place::kRunning;
  running_.push_back(&sequence);
  slots_.push_back({&sequence, tokens, false});
  sequence.in_step = true;
  budget_ -= std::min(budget_, tokens);
  if (sequence.record.scheduled != kNever) {
    --paused_;
    return true;
  }
  sequence.record.scheduled = now;
  sequence.record.rank = rank_;
  sequence.record.cached_tokens = sequence.computed;
  observer_.OnScheduled(sequence.record);
  return true;
}

void Scheduler::AdmitWaiting(SimTime now) {
  while (!waiting_.empty() && running_.size() < config_.max_num_seqs && budget_ > 0) {
    Sequence& sequence = *waiting_.front();
    if (!Admit(sequence, now)) return;
    waiting_.pop_front();
  }
}

std::span<const Slot> Scheduler::BuildStep(SimTime now) {
  for (const Slot& slot : slots_) slot.sequence->in_step = false;
  slots_.clear();
  preempted_ = false;
  budget_ = config_.max_num_batched_tokens;
  if (config_.mixing == Mixing::kMixed) {
    ScheduleRunning(true, true, now);
    // Who was just thrown out must not come back into the room made for others.
    if (!preempted_) AdmitWaiting(now);
  } else {
    ScheduleRunning(true, false, now);
    if (!preempted_) AdmitWaiting(now);
    if (slots_.empty()) {
      ScheduleRunning(false, true, now);
      output_guess_ = std::max(kLeastGuess, output_guess_ - kGuessDecay);
    }
  }
  return slots_;
}

void Scheduler::PublishBlocks(Sequence& sequence) {
  const std::uint32_t full = sequence.computed / config_.block_tokens;
  if (full <= sequence.published || !config_.prefix_caching) return;
  ExtendPrefixHashes(sequence.request.prompt, config_.block_tokens, full, sequence.hashes);
  for (; sequence.published < full; ++sequence.published) {
    cache_.Publish(sequence.table[sequence.published], sequence.hashes[sequence.published]);
  }
}

SchedulerState Scheduler::state() const {
  SchedulerState state;
  state.running = static_cast<std::uint32_t>(running_.size());
  state.waiting = static_cast<std::uint32_t>(waiting_.size());
  state.paused = paused_;
  state.blocks = cache_.blocks();
  state.free_blocks = cache_.free_blocks();
  state.cached_blocks = cache_.cached_blocks();
  state.held_tokens = std::uint64_t{state.blocks - state.free_blocks} * config_.block_tokens;
  return state;
}

}  // namespace firstword::simulate
