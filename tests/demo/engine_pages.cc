#include "engine_pages.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

namespace firstword::demo {
namespace {

// vLLM 0.30's and SGLang 0.5's own bucket lists.
constexpr double kVllmTtft[] = {0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75,
                                1,     2.5,   5,    7.5,  10,   20,   40,   80,  160,  640, 2560};
constexpr double kVllmItl[] = {0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5,
                               0.75, 1,     2.5,  5,     7.5, 10,   20,  40,  80};
constexpr double kVllmPhase[] = {0.3, 0.5, 0.8, 1,  1.5, 2,   2.5, 5,   10,   15,  20,
                                 30,  40,  50,  60, 120, 240, 480, 960, 1920, 7680};
constexpr double kSglangTtft[] = {0.1, 0.2, 0.4, 0.6, 0.8, 1,  2,   4,   6,
                                  8,   10,  20,  40,  60,  80, 100, 200, 400};
constexpr double kSglangItl[] = {0.002, 0.004, 0.006, 0.008, 0.01, 0.015, 0.02, 0.025,
                                 0.03,  0.035, 0.04,  0.06,  0.08, 0.1,   0.2,  0.4,
                                 0.6,   0.8,   1,     2,     4,    6,     8};
constexpr double kSglangQueue[] = {0, 0.001, 0.005, 0.01, 0.05, 0.1, 0.2, 0.5, 1,
                                   2, 3,     4,     5,    10,   15,  20,  30};

std::string Sample(const char* type, const std::string& name, const std::string& labels,
                   double value) {
  return fmt::format("# TYPE {0} {1}\n{0}{{{2}}} {3}\n", name, type, labels, value);
}

std::string WaitingByReason(const EngineModel& m, const std::string& labels) {
  const char* const name = "vllm:num_requests_waiting_by_reason";
  return fmt::format(
      "# TYPE {0} gauge\n{0}{{{1},reason=\"capacity\"}} {2}\n"
      "{0}{{{1},reason=\"deferred\"}} 0\n",
      name, labels, m.waiting);
}

// What only the Python front-end says.
std::string VllmConfiguration(const EngineModel& m, const std::string& labels) {
  const double tokens = 1 / m.kv_per_request * 2000;
  std::string out = fmt::format(
      "# TYPE vllm:cache_config_info gauge\nvllm:cache_config_info{{block_size=\"16\","
      "enable_prefix_caching=\"True\",engine=\"0\",gpu_memory_utilization=\"0.92\","
      "kv_cache_size_tokens=\"{:.0f}\",num_gpu_blocks=\"{:.0f}\"}} 1\n"
      "# TYPE vllm:engine_sleep_state gauge\n",
      tokens, tokens / 16);
  for (const char* state : {"awake", "weights_offloaded", "discard_all"}) {
    out += fmt::format("vllm:engine_sleep_state{{{},sleep_state=\"{}\"}} {}\n", labels, state,
                       state == std::string_view("awake") ? 1 : 0);
  }
  return out;
}

// One answer in eight runs into its token limit.
std::string VllmOutcomes(const EngineModel& m, const std::string& labels) {
  std::string out = "# TYPE vllm:request_success_total counter\n";
  const double length = std::floor(m.finished / 8);
  for (const auto& [reason, value] :
       std::vector<std::pair<const char*, double>>{{"stop", m.finished - length},
                                                   {"length", length},
                                                   {"abort", 0},
                                                   {"error", 0},
                                                   {"repetition", 0}}) {
    out += fmt::format("vllm:request_success_total{{{},finished_reason=\"{}\"}} {}\n", labels,
                       reason, value);
  }
  return out;
}

}  // namespace

EngineModel VllmEngine() { return {kVllmTtft, kVllmItl, kVllmPhase}; }
EngineModel SglangEngine() { return {kSglangTtft, kSglangItl, kSglangQueue}; }

std::string VllmPage(const EngineModel& m, const std::string& model) {
  const std::string labels = fmt::format("engine=\"0\",model_name=\"{}\"", model);
  return Sample("gauge", "vllm:num_requests_running", labels, m.running) +
         Sample("gauge", "vllm:num_requests_waiting", labels, m.waiting) +
         WaitingByReason(m, labels) + VllmConfiguration(m, labels) +
         Sample("gauge", "vllm:kv_cache_usage_perc", labels, m.kv) +
         Sample("counter", "vllm:num_preemptions_total", labels, m.preemptions) +
         Sample("counter", "vllm:prompt_tokens_total", labels, m.prompt_tokens) +
         Sample("counter", "vllm:generation_tokens_total", labels,
                std::floor(m.generation_tokens)) +
         Sample("counter", "vllm:prefix_cache_queries_total", labels, m.prompt_tokens) +
         Sample("counter", "vllm:prefix_cache_hits_total", labels, m.cached_tokens) +
         Sample("counter", "vllm:prompt_tokens_cached_total", labels, m.cached_tokens) +
         VllmOutcomes(m, labels) + m.ttft.Print("vllm:time_to_first_token_seconds", labels) +
         m.itl.Print("vllm:inter_token_latency_seconds", labels) +
         m.queue.Print("vllm:request_queue_time_seconds", labels) +
         m.prefill.Print("vllm:request_prefill_time_seconds", labels) +
         m.decode.Print("vllm:request_decode_time_seconds", labels) +
         m.e2e.Print("vllm:e2e_request_latency_seconds", labels);
}

std::string SglangPage(const EngineModel& m, const std::string& model) {
  const std::string common = fmt::format("engine_type=\"unified\",model_name=\"{}\"", model);
  std::string out;
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, double>>{{"sglang:num_running_reqs", m.running / 2},
                                                   {"sglang:num_queue_reqs", m.waiting / 2},
                                                   {"sglang:max_total_num_tokens", 400000}}) {
    out += fmt::format("# TYPE {} gauge\n", name);
    for (int rank = 0; rank < 2; ++rank) {
      out +=
          fmt::format("{}{{dp_rank=\"{}\",{},moe_ep_rank=\"0\",pp_rank=\"0\",tp_rank=\"{}\"}} {}\n",
                      name, rank, common, rank, rank == 0 ? std::ceil(value) : std::floor(value));
    }
  }
  out += "# TYPE sglang:token_usage gauge\n";
  for (int rank = 0; rank < 2; ++rank) {
    out += fmt::format(
        "sglang:token_usage{{dp_rank=\"{}\",{},moe_ep_rank=\"0\",pp_rank=\"0\",tp_rank=\"{}\"}} "
        "{:.2f}\n",
        rank, common, rank, m.kv);
  }
  return out + Sample("counter", "sglang:prompt_tokens_total", common, m.prompt_tokens) +
         Sample("counter", "sglang:generation_tokens_total", common,
                std::floor(m.generation_tokens)) +
         Sample("counter", "sglang:cached_tokens_total", common + ",cache_source=\"device\"",
                m.cached_tokens) +
         Sample("counter", "sglang:num_requests_total", common, m.finished) +
         m.ttft.Print("sglang:time_to_first_token_seconds", common) +
         m.itl.Print("sglang:inter_token_latency_seconds", common) +
         m.queue.Print("sglang:queue_time_seconds", common + ",tp_rank=\"0\"");
}

std::string TritonPage(const EngineModel& m) {
  const std::string labels = "model=\"tensorrt_llm\",version=\"1\"";
  std::string out = "# TYPE nv_trt_llm_request_metrics gauge\n";
  for (const auto& [type, value] :
       std::vector<std::pair<const char*, double>>{{"waiting", m.waiting},
                                                   {"scheduled", m.running},
                                                   {"active", m.waiting + m.running},
                                                   {"max", 64}}) {
    out += fmt::format("nv_trt_llm_request_metrics{{{},request_type=\"{}\"}} {}\n", labels, type,
                       value);
  }
  out += "# TYPE nv_trt_llm_kv_cache_block_metrics gauge\n";
  for (const auto& [type, value] :
       std::vector<std::pair<const char*, double>>{{"fraction", m.kv},
                                                   {"max", 1000},
                                                   {"used", std::floor(m.kv * 1000)},
                                                   {"tokens_per", 64}}) {
    out += fmt::format("nv_trt_llm_kv_cache_block_metrics{{{},kv_cache_block_type=\"{}\"}} {}\n",
                       labels, type, value);
  }
  return out + Sample("counter", "nv_inference_request_success", labels, m.finished) +
         Sample("counter", "nv_inference_queue_duration_us", labels, m.finished * 2000) +
         Sample("counter", "nv_inference_request_duration_us", labels,
                m.finished * m.service_seconds * 1.2e6);
}

std::string GpuPage(const EngineModel& m) {
  const std::string labels =
      "gpu=\"0\",UUID=\"GPU-00000000-aaaa-bbbb-cccc-000000000000\",device=\"nvidia0\","
      "modelName=\"NVIDIA H100 80GB HBM3\",Hostname=\"127.0.0.1\"";
  const double load = m.running / m.max_running;
  return Sample("gauge", "DCGM_FI_DEV_GPU_UTIL", labels, load > 0 ? 98 : 0) +
         Sample("gauge", "DCGM_FI_PROF_GR_ENGINE_ACTIVE", labels, 0.97 * (load > 0)) +
         Sample("gauge", "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", labels, 0.05 + 0.1 * load) +
         Sample("gauge", "DCGM_FI_PROF_DRAM_ACTIVE", labels, 0.3 + 0.5 * load) +
         Sample("gauge", "DCGM_FI_DEV_POWER_USAGE", labels, 180 + 420 * load) +
         Sample("gauge", "DCGM_FI_DEV_GPU_TEMP", labels, 40 + 25 * load) +
         Sample("gauge", "DCGM_FI_DEV_FB_USED", labels, 74000) +
         Sample("gauge", "DCGM_FI_DEV_FB_FREE", labels, 7000);
}

}  // namespace firstword::demo
