#pragma once

#include <cstdint>

#include "simulate/engine/config.h"

namespace firstword::simulate {

// What one step computes, summed over its sequences.
struct BatchShape {
  std::uint32_t prefill_tokens = 0;
  std::uint32_t prefill_sequences = 0;
  std::uint32_t decode_tokens = 0;  // with drafted ones
  std::uint32_t decode_sequences = 0;
  double attended = 0;     // pairs of a computed token and one it looks at
  double read_tokens = 0;  // cached tokens read, once a sequence
};

struct StepCost {
  double gpu_s = 0;
  double host_s = 0;
  double output_s = 0;  // after the step, until the front-end has given its tokens out
  double bytes = 0;     // a GPU
  double flops = 0;     // a GPU
  double link_bytes = 0;
};

// The roofline: matrix products over the weights and attention over the cache each take
// the longer of moving their bytes and doing their arithmetic at achievable rates, one
// after the other; all-reduces and kernel gaps come on top.
class StepModel {
 public:
  explicit StepModel(const EngineConfig& config);

  // `clock_share` and `bandwidth_share` scale what the GPU can do.
  [[nodiscard]] StepCost Cost(const BatchShape& batch, double clock_share,
                              double bandwidth_share) const;

  // Blocks of KV cache that one rank's memory has room for beside the weights.
  [[nodiscard]] std::uint32_t KvBlocks() const;
  // Bytes of memory of one GPU that weights take.
  [[nodiscard]] double weight_bytes_per_gpu() const { return all_weight_bytes_; }
  [[nodiscard]] double kv_bytes_per_token_per_gpu() const { return kv_token_bytes_; }

 private:
  [[nodiscard]] double WeightBytes(double tokens) const;

  EngineConfig config_;
  double gpus_;  // that share the model
  double peak_flops_;
  double all_weight_bytes_;
  double shared_bytes_;    // read by every step, a GPU
  double expert_bytes_;    // of one expert, a GPU
  double kv_token_bytes_;  // a GPU
};

}  // namespace firstword::simulate
