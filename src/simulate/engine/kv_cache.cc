#include "simulate/engine/kv_cache.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <ranges>

#include "base/check.h"

namespace firstword::simulate {

struct KvCache::Index {
  absl::flat_hash_map<std::uint64_t, std::uint32_t> blocks;
};

KvCache::KvCache(std::uint32_t blocks, bool prefix_caching)
    : nodes_(blocks + 1), index_(std::make_unique<Index>()), prefix_caching_(prefix_caching) {
  for (std::uint32_t block = 1; block <= blocks; ++block) PushFree(block);
}
KvCache::~KvCache() = default;
KvCache::KvCache(KvCache&&) noexcept = default;
KvCache& KvCache::operator=(KvCache&&) noexcept = default;

void KvCache::PushFree(std::uint32_t block) {
  Node& node = nodes_[block];
  node.next = 0;
  node.previous = nodes_[0].previous;
  nodes_[nodes_[0].previous].next = block;
  nodes_[0].previous = block;
  ++free_;
  if (node.hash != 0) ++cached_;
}

void KvCache::RemoveFree(std::uint32_t block) {
  Node& node = nodes_[block];
  nodes_[node.previous].next = node.next;
  nodes_[node.next].previous = node.previous;
  --free_;
  if (node.hash != 0) --cached_;
}

std::uint32_t KvCache::CountHits(std::span<const std::uint64_t> hashes) const {
  if (!prefix_caching_) return 0;
  std::uint32_t hits = 0;
  for (const std::uint64_t hash : hashes) {
    if (!index_->blocks.contains(hash)) break;
    ++hits;
  }
  return hits;
}

std::uint32_t KvCache::CountFreeHits(std::span<const std::uint64_t> hashes) const {
  std::uint32_t count = 0;
  for (const std::uint64_t hash : hashes) {
    if (nodes_[index_->blocks.at(hash)].holders == 0) ++count;
  }
  return count;
}

void KvCache::Share(std::span<const std::uint64_t> hashes, std::vector<std::uint32_t>& table) {
  for (const std::uint64_t hash : hashes) {
    const std::uint32_t block = index_->blocks.at(hash);
    if (nodes_[block].holders++ == 0) RemoveFree(block);
    table.push_back(block);
  }
}

bool KvCache::Allocate(std::uint32_t count, std::vector<std::uint32_t>& table) {
  if (count > free_) return false;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t block = nodes_[0].next;
    RemoveFree(block);
    Node& node = nodes_[block];
    if (node.hash != 0) index_->blocks.erase(node.hash);
    node.hash = 0;
    node.holders = 1;
    table.push_back(block);
  }
  return true;
}

void KvCache::Publish(std::uint32_t block, std::uint64_t hash) {
  if (!prefix_caching_ || nodes_[block].hash != 0) return;
  // Two sequences can compute the same prefix side by side; the first to finish is found.
  if (index_->blocks.try_emplace(hash, block).second) nodes_[block].hash = hash;
}

void KvCache::Release(std::vector<std::uint32_t>& table) {
  for (const std::uint32_t block : table | std::views::reverse) {
    CHECK(nodes_[block].holders > 0);
    if (--nodes_[block].holders == 0) PushFree(block);
  }
  table.clear();
}

void KvCache::ForgetPrefixes() {
  for (Node& node : nodes_) node.hash = 0;
  index_->blocks.clear();
  cached_ = 0;
}

void KvCache::set_prefix_caching(bool on) {
  if (prefix_caching_ && !on) ForgetPrefixes();
  prefix_caching_ = on;
}

}  // namespace firstword::simulate
