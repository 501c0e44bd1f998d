#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simulate/engine/request.h"

namespace firstword::simulate {

// Appends hashes of full blocks of `block_tokens` to `hashes` until there are `blocks` of
// them: equal exactly where the block and everything before it are the same tokens. The
// last part goes on without end, so blocks of the output have hashes too.
void ExtendPrefixHashes(std::span<const PromptPart> prompt, std::uint32_t block_tokens,
                        std::size_t blocks, std::vector<std::uint64_t>& hashes);

}  // namespace firstword::simulate
