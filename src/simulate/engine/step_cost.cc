#include "simulate/engine/step_cost.h"

#include <algorithm>
#include <cmath>

namespace firstword::simulate {
namespace {

// Gaps between kernels and the small kernels themselves (norms, rotary, sampling), a
// layer, with CUDA graphs.
constexpr double kLayerGapSeconds = 18e-6;
// Bytes a token, layer and unit of width that move between the matrix products, in 16 bits:
// norms, residuals, rotary embedding, activation functions and the products' own inputs and
// outputs. Ranks do it each for itself.
constexpr double kActivationBytes = 80;
// Attention kernels reach less of the peak arithmetic than matrix products do.
constexpr double kAttentionShare = 0.6;
// Of the memory that is not weights: activations, graphs, the allocator's waste.
constexpr double kReservedShare = 0.05;

// The longer of two that overlap, with the loss where they are alike.
double Overlapped(double a, double b) {
  const double longer = std::max(a, b);
  if (longer <= 0) return 0;
  const double ratio = std::min(a, b) / longer;
  return longer * std::sqrt(std::sqrt(1 + ratio * ratio * ratio * ratio));
}

}  // namespace

StepModel::StepModel(const EngineConfig& config)
    : config_(config), gpus_(std::max<double>(1, config.tensor_parallel)) {
  const ModelSpec& model = config.model;
  // Weights of one byte are computed in FP8 where the part can; narrower ones are widened.
  const bool fp8 = model.weight_bytes == 1 && config.gpu.fp8_flops > 0;
  peak_flops_ = fp8 ? config.gpu.fp8_flops : config.gpu.bf16_flops;
  all_weight_bytes_ = model.parameters * model.weight_bytes / gpus_;
  const double shared =
      model.active_parameters - static_cast<double>(model.experts_chosen) * model.expert_parameters;
  shared_bytes_ = shared * model.weight_bytes / gpus_;
  expert_bytes_ = model.expert_parameters * model.weight_bytes / gpus_;
  const bool latent = model.kv_bytes_per_token_layer > 0;
  const double of_layer = latent ? model.kv_bytes_per_token_layer
                                 : 2.0 * model.kv_heads * model.head_dim * model.kv_bytes;
  // Heads are cut over the ranks, and repeated where there are fewer; a latent is whole on each.
  const double cut = latent ? 1 : std::min(gpus_, static_cast<double>(model.kv_heads));
  kv_token_bytes_ = of_layer * model.layers / cut;
}

double StepModel::WeightBytes(double tokens) const {
  const ModelSpec& model = config_.model;
  if (model.experts == 0) return shared_bytes_;
  const double missed =
      std::pow(1 - static_cast<double>(model.experts_chosen) / model.experts, tokens);
  return shared_bytes_ + model.experts * (1 - missed) * expert_bytes_;
}

StepCost StepModel::Cost(const BatchShape& batch, double clock_share,
                         double bandwidth_share) const {
  const ModelSpec& model = config_.model;
  const double tokens = batch.prefill_tokens + batch.decode_tokens;
  const double bandwidth =
      config_.gpu.bandwidth_bytes_per_s * config_.gpu.memory_share * bandwidth_share;
  const double flops_rate = peak_flops_ * config_.gpu.compute_share * clock_share;

  StepCost cost;
  const double weight_bytes = WeightBytes(tokens);
  const double linear_flops = 2 * model.active_parameters * tokens / gpus_;
  const double kv_bytes = (batch.read_tokens + tokens) * kv_token_bytes_;
  const double activation_bytes = tokens * model.hidden * model.layers * kActivationBytes;
  const double attention_flops =
      4.0 * model.layers * model.heads * model.head_dim * batch.attended / gpus_;
  cost.gpu_s = Overlapped(weight_bytes / bandwidth, linear_flops / flops_rate) +
               Overlapped(kv_bytes / bandwidth, attention_flops / (flops_rate * kAttentionShare)) +
               activation_bytes / bandwidth + model.layers * kLayerGapSeconds;
  cost.bytes = weight_bytes + kv_bytes + activation_bytes;
  cost.flops = linear_flops + attention_flops;
  if (gpus_ > 1) {
    // Two all-reduces a layer, each a reduce-scatter and a gather around the ring.
    const double bytes = tokens * model.hidden * 2 * 2 * (gpus_ - 1) / gpus_;
    cost.link_bytes = 2.0 * model.layers * bytes;
    cost.gpu_s += 2.0 * model.layers * config_.gpu.link_latency_s;
    if (config_.gpu.link_bytes_per_s > 0) {
      cost.gpu_s += cost.link_bytes / config_.gpu.link_bytes_per_s;
    }
  }
  if (config_.speculation.draft_tokens > 0 && batch.decode_sequences > 0) {
    const double passes = config_.speculation.draft_tokens * config_.speculation.draft_cost;
    cost.gpu_s += passes * weight_bytes / bandwidth;
    cost.bytes += passes * weight_bytes;
    cost.flops += passes * 2 * model.active_parameters * batch.decode_sequences / gpus_;
  }
  const double sequences = batch.prefill_sequences + batch.decode_sequences;
  const HostCost& host = config_.host;
  cost.host_s = host.step_s + host.step_per_sequence_s * sequences;
  cost.output_s = host.output_s + host.output_per_sequence_s * sequences;
  return cost;
}

std::uint32_t StepModel::KvBlocks() const {
  const double memory = config_.gpu.memory_gib * 1024 * 1024 * 1024;
  const double left =
      memory * (config_.gpu_memory_utilization - kReservedShare) - all_weight_bytes_;
  const double blocks = left / (kv_token_bytes_ * config_.block_tokens);
  return blocks < 1 ? 0 : static_cast<std::uint32_t>(blocks);
}

}  // namespace firstword::simulate
