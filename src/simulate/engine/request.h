#pragma once

#include <cstdint>
#include <vector>

#include "simulate/engine/sim_time.h"

namespace firstword::simulate {

using RequestId = std::uint64_t;

// A run of tokens out of one text. Two runs of the same text that begin at the same
// offset are the same tokens, which is all that prefix caching needs to know.
struct PromptPart {
  std::uint64_t text = 0;
  std::uint32_t offset = 0;
  std::uint32_t tokens = 0;
};

struct Request {
  std::vector<PromptPart> prompt;   // not empty; the output goes on with the last part's text
  std::uint32_t output_tokens = 1;  // that it would say by itself, at least 1
  std::uint32_t max_tokens = 1;     // that it may say, at least 1
  int priority = 0;                 // lower is more urgent
  bool streaming = true;
  bool watched = false;  // Observer::OnTokens is wanted

  [[nodiscard]] std::uint32_t prompt_tokens() const {
    std::uint32_t sum = 0;
    for (const PromptPart& part : prompt) sum += part.tokens;
    return sum;
  }
};

enum class Outcome : std::uint8_t { kStop, kLength, kAbort, kError };

// The life of a request that ended. Times that it did not reach are kNever.
struct RequestRecord {
  RequestId id = 0;
  std::uint32_t rank = 0;
  Outcome outcome = Outcome::kStop;
  bool streaming = true;
  SimTime arrived{};             // at the front-end
  SimTime queued = kNever;       // in the engine core's queue, tokenised
  SimTime scheduled = kNever;    // first in a step
  SimTime first_token = kNever;  // computed in the core
  SimTime first_seen = kNever;   // given out by the front-end
  SimTime last_token = kNever;   // computed in the core
  SimTime last_seen = kNever;    // given out by the front-end
  std::uint32_t prompt_tokens = 0;
  std::uint32_t cached_tokens = 0;  // of the prompt, found in the cache when first scheduled
  std::uint32_t output_tokens = 0;
  std::uint32_t max_tokens = 0;
  std::uint32_t preemptions = 0;

  // TTFT = frontend + queue + prefill, exactly, for whoever had a first token.
  [[nodiscard]] SimTime ttft() const { return first_seen - arrived; }
  [[nodiscard]] SimTime frontend() const { return (queued - arrived) + (first_seen - first_token); }
  [[nodiscard]] SimTime queue() const { return scheduled - queued; }
  [[nodiscard]] SimTime prefill() const { return first_token - scheduled; }
  [[nodiscard]] SimTime decode() const { return last_token - first_token; }
  [[nodiscard]] SimTime e2e() const { return last_seen - arrived; }
};

}  // namespace firstword::simulate
