#pragma once

#include <cstdint>
#include <vector>

#include "simulate/engine/request.h"

namespace firstword::simulate {

// A request inside the engine.
struct Sequence {
  enum class Place : std::uint8_t { kFrontend, kWaiting, kRunning, kGone };

  RequestRecord record;
  Request request;
  std::uint32_t target_tokens = 1;  // of output, when it ends
  Place place = Place::kFrontend;
  bool aborted = false;  // leaves when the step under way ends
  bool in_step = false;
  std::uint32_t computed = 0;         // tokens whose keys and values are in its blocks
  std::uint32_t reserved_blocks = 0;  // promised beyond those it holds (MemoryPolicy::kReserve)
  std::vector<std::uint32_t> table;   // blocks, in order of its tokens
  std::vector<std::uint64_t> hashes;  // of full blocks, as far as they were needed
  std::uint32_t published = 0;        // blocks of the table whose prefix others can find

  // Prompt and output so far: what must be computed before the next token.
  [[nodiscard]] std::uint32_t known() const { return record.prompt_tokens + record.output_tokens; }
  [[nodiscard]] bool decoding() const {
    return record.output_tokens > 0 && computed + 1 == known();
  }
};

}  // namespace firstword::simulate
