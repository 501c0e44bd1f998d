#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace firstword::simulate {

// One request of a recorded day.
struct TraceRow {
  double at_s = 0;  // from the first row
  std::uint32_t prompt_tokens = 0;
  std::uint32_t output_tokens = 0;
  // One id for each block of `block_tokens`; equal leading ids are a shared prefix.
  std::vector<std::uint64_t> hash_ids;
  std::uint32_t block_tokens = 512;
};

// Reads a trace, of which format it finds out by itself: Mooncake's JSON lines
// (timestamp in ms, input_length, output_length, hash_ids), Azure's CSV
// (TIMESTAMP,ContextTokens,GeneratedTokens) or BurstGPT's CSV. Rows without output are
// failures in BurstGPT and left out. Sorted by time. Fails with kParse and
// "file:line: what".
[[nodiscard]] Result<std::vector<TraceRow>> ParseTrace(std::string_view text,
                                                       const std::string& file_name);

}  // namespace firstword::simulate
