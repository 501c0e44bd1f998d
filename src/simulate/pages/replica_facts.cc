#include "simulate/pages/replica_facts.h"

namespace firstword::simulate {

ReplicaFacts FactsOf(const EngineConfig& config) {
  return {.model = config.model.served_as,
          .ranks = config.data_parallel,
          .block_tokens = config.block_tokens,
          .kv_blocks = config.kv_blocks,
          .max_model_len = config.model.max_model_len,
          .max_num_seqs = config.max_num_seqs,
          .max_num_batched_tokens = config.max_num_batched_tokens,
          .gpu_memory_utilization = config.gpu_memory_utilization,
          .prefix_caching = config.prefix_caching};
}

}  // namespace firstword::simulate
