#pragma once

#include <cstdint>
#include <string>

#include "simulate/engine/hardware.h"

namespace firstword::simulate {

// How prompts share a step with decoding.
enum class Mixing : std::uint8_t {
  kMixed,         // vLLM V1: decodes first, prompts in chunks into what is left of the budget
  kPrefillFirst,  // vLLM V0, SGLang: a step is either prompts or decoding, prompts first
};

// What happens when no KV block is free for a running request.
enum class MemoryPolicy : std::uint8_t {
  kRecompute,       // vLLM: the last admitted is preempted, waits first in line, starts over
  kRetract,         // SGLang: admits by a guess of output lengths; retracts the shortest outputs
  kReserve,         // TensorRT-LLM GUARANTEED_NO_EVICT: blocks for max_tokens at admission
  kMaxUtilization,  // TensorRT-LLM MAX_UTILIZATION: as kRecompute, counted as pauses
};

// Work of the processor around the GPU's.
struct HostCost {
  // Tokenising a prompt, in `frontend_workers` processes that serve first come first.
  double tokenize_s = 200e-6;
  double tokenize_per_token_s = 1e-6;
  std::uint32_t frontend_workers = 1;
  // One step: scheduling, input preparation, sampling, and that for each sequence in it.
  double step_s = 1.0e-3;
  double step_per_sequence_s = 8e-6;
  // Detokenising and sending on, between the end of a step and its tokens being seen.
  double output_s = 300e-6;
  double output_per_sequence_s = 4e-6;
  // The next step is prepared while the GPU works: a step then takes the longer of both.
  bool overlapped = true;
};

struct SpeculationConfig {
  std::uint32_t draft_tokens = 0;  // a step and sequence; 0: off
  double acceptance = 0.7;         // of each draft token, given the one before was accepted
  double draft_cost = 0.05;        // one draft pass, as a share of reading the weights once
};

struct EngineConfig {
  GpuSpec gpu;
  ModelSpec model;
  std::uint32_t tensor_parallel = 1;
  std::uint32_t data_parallel = 1;  // ranks: each has its own scheduler and cache

  Mixing mixing = Mixing::kMixed;
  MemoryPolicy memory = MemoryPolicy::kRecompute;
  bool priority_scheduling = false;  // lower value first; else first come first served
  std::uint32_t max_num_seqs = 256;
  std::uint32_t max_num_batched_tokens = 8192;
  bool chunked_prefill = true;
  // A prompt gets no more than this of one step; 0: no limit.
  std::uint32_t long_prefill_threshold = 0;

  double gpu_memory_utilization = 0.9;
  std::uint32_t block_tokens = 16;
  // Blocks of one rank; 0: what the memory leaves beside weights and activations.
  std::uint32_t kv_blocks = 0;
  bool prefix_caching = true;

  SpeculationConfig speculation;
  HostCost host;
};

}  // namespace firstword::simulate
