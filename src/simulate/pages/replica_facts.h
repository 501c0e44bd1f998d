#pragma once

#include <cstdint>
#include <string>

#include "simulate/engine/config.h"

namespace firstword::simulate {

// What a page says of a replica that stays as it is while the process lives.
struct ReplicaFacts {
  std::string model;    // as served
  std::string version;  // of the engine
  std::string instance;
  std::string worker;  // host:port
  std::string host;
  double start_unix_s = 0;
  std::uint32_t ranks = 1;
  std::uint32_t block_tokens = 16;
  std::uint32_t kv_blocks = 0;  // of one rank
  std::uint32_t max_model_len = 0;
  std::uint32_t max_num_seqs = 0;
  std::uint32_t max_num_batched_tokens = 0;
  double gpu_memory_utilization = 0.9;
  bool prefix_caching = true;

  [[nodiscard]] std::uint64_t kv_tokens() const { return std::uint64_t{kv_blocks} * block_tokens; }
};

// What the configuration says of it; names, times, blocks and max_model_len (of the model
// here, perhaps less in the replica) are left to the caller.
[[nodiscard]] ReplicaFacts FactsOf(const EngineConfig& config);

}  // namespace firstword::simulate
