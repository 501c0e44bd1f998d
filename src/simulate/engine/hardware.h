#pragma once

#include <cstdint>
#include <string>

namespace firstword::simulate {

// What a GPU can do. Peaks are dense, without sparsity; the achievable shares say what
// real kernels reach of them (sources: docs/simulator.md).
struct GpuSpec {
  std::string name;        // "h100"
  std::string model_name;  // as exporters print it: "NVIDIA H100 80GB HBM3"
  double memory_gib = 0;
  double bandwidth_bytes_per_s = 0;
  double bf16_flops = 0;
  double fp8_flops = 0;  // 0: the part has none
  double power_limit_watts = 0;
  double idle_watts = 0;
  double sm_clock_mhz = 0;  // boost
  double mem_clock_mhz = 0;
  double memory_share = 0.8;      // of the peak, in decode
  double compute_share = 0.7;     // of the peak, in prefill
  double link_bytes_per_s = 0;    // to each of its peers, one way
  double link_latency_s = 10e-6;  // of one all-reduce of few bytes
};

// What a model costs. All sizes are of the whole model, before it is cut over ranks.
struct ModelSpec {
  std::string name;              // "llama-3.1-8b"
  std::string served_as;         // "meta-llama/Llama-3.1-8B-Instruct"
  double parameters = 0;         // all
  double active_parameters = 0;  // that a token meets; equal but for mixtures of experts
  std::uint32_t layers = 0;
  std::uint32_t hidden = 0;
  std::uint32_t heads = 0;
  std::uint32_t kv_heads = 0;
  std::uint32_t head_dim = 0;
  // Cached bytes a token and layer where they do not follow from the heads (latent
  // attention); 0: 2 x kv_heads x head_dim x kv_bytes.
  double kv_bytes_per_token_layer = 0;
  std::uint32_t experts = 0;         // routed, a layer; 0: dense
  std::uint32_t experts_chosen = 0;  // of them for each token
  double expert_parameters = 0;      // of one routed expert, over all layers
  double weight_bytes = 2;           // a parameter
  double kv_bytes = 2;               // a cached number
  std::uint32_t max_model_len = 0;   // tokens
  std::uint32_t default_tp = 1;
};

}  // namespace firstword::simulate
