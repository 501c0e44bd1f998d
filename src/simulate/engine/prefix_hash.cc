#include "simulate/engine/prefix_hash.h"

#include <algorithm>

namespace firstword::simulate {
namespace {

// The finaliser of splitmix64: a bijection that spreads every bit.
std::uint64_t Mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

std::uint64_t Combine(std::uint64_t hash, std::uint64_t value) {
  return Mix(hash + 0x9e3779b97f4a7c15ULL + value);
}

}  // namespace

void ExtendPrefixHashes(std::span<const PromptPart> prompt, std::uint32_t block_tokens,
                        std::size_t blocks, std::vector<std::uint64_t>& hashes) {
  std::uint64_t position = std::uint64_t{block_tokens} * hashes.size();
  std::size_t index = 0;
  std::uint64_t begin = 0;  // of part `index`
  while (hashes.size() < blocks) {
    std::uint64_t hash = hashes.empty() ? 0 : hashes.back();
    std::uint32_t left = block_tokens;
    while (left > 0) {
      while (index + 1 < prompt.size() && position >= begin + prompt[index].tokens) {
        begin += prompt[index++].tokens;
      }
      const PromptPart& part = prompt[index];
      std::uint64_t take = left;
      if (index + 1 < prompt.size()) take = std::min(take, begin + part.tokens - position);
      hash = Combine(hash, part.text);
      hash = Combine(hash, (part.offset + position - begin) << 16 | take);
      position += take;
      left -= static_cast<std::uint32_t>(take);
    }
    hashes.push_back(hash | 1);  // 0 means "no prefix"
  }
}

}  // namespace firstword::simulate
