#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace firstword::simulate {

// The paged KV cache of one rank: blocks that sequences hold, shared where their tokens
// are the same, and blocks that nobody holds, least recently used first. A block keeps
// its prefix until it is handed out anew, as in vLLM; so "free" blocks can be cached ones.
class KvCache {
 public:
  KvCache(std::uint32_t blocks, bool prefix_caching);
  ~KvCache();
  KvCache(KvCache&&) noexcept;
  KvCache& operator=(KvCache&&) noexcept;

  [[nodiscard]] std::uint32_t blocks() const {
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }
  [[nodiscard]] std::uint32_t free_blocks() const { return free_; }
  // Of the free ones, those that still hold a prefix.
  [[nodiscard]] std::uint32_t cached_blocks() const { return cached_; }

  // How many of `hashes`, from the first on, are there.
  [[nodiscard]] std::uint32_t CountHits(std::span<const std::uint64_t> hashes) const;
  // Of these hits, the ones nobody holds: they leave the free list when shared.
  [[nodiscard]] std::uint32_t CountFreeHits(std::span<const std::uint64_t> hashes) const;
  // Holds the blocks of `hashes`, all of which must be hits, and appends them to `table`.
  void Share(std::span<const std::uint64_t> hashes, std::vector<std::uint32_t>& table);
  // Appends `count` blocks of unknown content; false, and nothing done, when fewer are free.
  [[nodiscard]] bool Allocate(std::uint32_t count, std::vector<std::uint32_t>& table);
  // The block is full of the tokens that `hash` stands for.
  void Publish(std::uint32_t block, std::uint64_t hash);
  // Lets go of a whole table; its last blocks will be handed out first.
  void Release(std::vector<std::uint32_t>& table);
  // Forgets every prefix; what is held stays held.
  void ForgetPrefixes();
  void set_prefix_caching(bool on);

 private:
  struct Node {
    std::uint64_t hash = 0;  // 0: no prefix
    std::uint32_t holders = 0;
    std::uint32_t previous = 0;  // in the free list
    std::uint32_t next = 0;
  };
  struct Index;

  void PushFree(std::uint32_t block);
  void RemoveFree(std::uint32_t block);

  std::vector<Node> nodes_;  // [0] is the ends of the free list
  std::unique_ptr<Index> index_;
  std::uint32_t free_ = 0;
  std::uint32_t cached_ = 0;
  bool prefix_caching_;
};

}  // namespace firstword::simulate
