#include "simulate/pages/quantities.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <string>
#include <utility>

#include "simulate/pages/recorder.h"

namespace firstword::simulate {
namespace {

constexpr std::size_t Index(Distribution distribution) {
  return static_cast<std::size_t>(distribution);
}
const RankRecord& Rank(const RankMoment& m) { return m.recorder.rank(m.rank); }
std::uint32_t Held(const RankMoment& m) { return Rank(m).state.blocks - Rank(m).state.free_blocks; }
double Share(double part, double whole) { return whole == 0 ? 0 : part / whole; }
double Tokens(const RankMoment& m, std::uint64_t blocks) {
  return static_cast<double>(blocks * m.recorder.facts().block_tokens);
}
std::uint64_t Ended(const RankMoment& m, Outcome outcome) {
  return Rank(m).ended[static_cast<std::size_t>(outcome)];
}
std::uint64_t OnFirstRank(const RankMoment& m, std::uint64_t value) {
  return m.rank == 0 ? value : 0;
}
std::uint32_t Longest(const RankMoment& m) {
  std::uint32_t longest = 0;
  for (std::uint32_t i = 0; i < m.recorder.ranks(); ++i) {
    longest = std::max(longest, m.recorder.rank(i).longest_context);
  }
  return longest;
}
// A core keeps one processor busy through its steps; the start took some seconds.
double CpuSeconds(const RankMoment& m) {
  double seconds = 20;
  for (std::uint32_t i = 0; i < m.recorder.ranks(); ++i) seconds += m.recorder.rank(i).busy_s;
  return seconds;
}

using M = const RankMoment&;
template <auto kFunction>
double Number(const RankMoment& moment) {
  return static_cast<double>(kFunction(moment));
}
template <auto kMember>
std::optional<double> Reading(const GpuReading& reading) {
  const auto& value = reading.*kMember;
  if constexpr (requires { value.has_value(); }) {
    return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
  } else {
    return static_cast<double>(value);
  }
}
template <auto kMember>
double Gateway(const GatewayReading& reading) {
  return static_cast<double>(reading.*kMember);
}
template <std::uint64_t kBit>
std::optional<double> Throttled(const GpuReading& reading) {
  if (!reading.throttle_mask) return std::nullopt;
  return (*reading.throttle_mask & kBit) != 0 ? 1 : 0;
}

using enum Scope;
using enum Merge;

constexpr Quantity kNumbers[] = {
    {"running", "requests", kRank, kSum, "requests in the running batch",
     Number<[](M m) { return Rank(m).state.running; }>},
    {"waiting", "requests", kRank, kSum, "requests that wait, preempted ones included",
     Number<[](M m) { return Rank(m).state.waiting; }>},
    {"waiting.capacity", "requests", kRank, kSum, "of them, those that wait for room",
     Number<[](M m) { return Rank(m).state.waiting; }>},
    {"waiting.deferred", "requests", kRank, kSum,
     "of them, those held back; the simulator has none", Number<[](M m) { return 0 * m.rank; }>},
    {"prefilling", "requests", kRank, kSum, "running requests whose prompt is not done",
     Number<[](M m) { return Rank(m).state.prefilling; }>},
    {"decoding", "requests", kRank, kSum, "running requests past their prompt",
     Number<[](M m) { return Rank(m).state.running - Rank(m).state.prefilling; }>},
    {"paused", "requests", kRank, kSum, "preempted requests that wait",
     Number<[](M m) { return Rank(m).state.paused; }>},
    {"kv.usage", "ratio", kRank, kMean, "share of blocks that somebody holds",
     Number<[](M m) { return Share(Held(m), Rank(m).state.blocks); }>},
    {"kv.blocks", "blocks", kRank, kSum, "usable blocks",
     Number<[](M m) { return Rank(m).state.blocks; }>},
    {"kv.free_blocks", "blocks", kRank, kSum, "blocks that nobody holds, cached ones included",
     Number<[](M m) { return Rank(m).state.free_blocks; }>},
    {"kv.used_blocks", "blocks", kRank, kSum, "blocks that somebody holds",
     Number<[](M m) { return Held(m); }>},
    {"kv.cached_blocks", "blocks", kRank, kSum, "free blocks that still hold a prefix",
     Number<[](M m) { return Rank(m).state.cached_blocks; }>},
    {"kv.tokens", "tokens", kRank, kSum, "tokens the cache has room for",
     Number<[](M m) { return Tokens(m, Rank(m).state.blocks); }>},
    {"kv.used_tokens", "tokens", kRank, kSum, "tokens in blocks that somebody holds",
     Number<[](M m) { return Rank(m).state.held_tokens; }>},
    {"kv.free_tokens", "tokens", kRank, kSum, "room in blocks that nobody holds",
     Number<[](M m) { return Tokens(m, Rank(m).state.free_blocks); }>},
    {"kv.evictable_tokens", "tokens", kRank, kSum, "tokens in free blocks that still hold a prefix",
     Number<[](M m) { return Tokens(m, Rank(m).state.cached_blocks); }>},
    {"kv.empty_tokens", "tokens", kRank, kSum, "room in blocks that hold nothing", Number<[](M m) {
       return Tokens(m, Rank(m).state.free_blocks - Rank(m).state.cached_blocks);
     }>},
    {"kv.block_tokens", "tokens", kRank, kFirst, "tokens a block",
     Number<[](M m) { return m.recorder.facts().block_tokens; }>},
    {"preemptions", "count", kRank, kSum, "preemptions, not requests",
     Number<[](M m) { return Rank(m).preemptions; }>},
    {"prompt_tokens", "tokens", kRank, kSum, "whole prompts, counted at the first token",
     Number<[](M m) { return Rank(m).prompt_tokens; }>},
    {"prompt_tokens.computed", "tokens", kRank, kSum, "of them, the tokens that were computed",
     Number<[](M m) { return Rank(m).prompt_tokens - Rank(m).cached_prompt_tokens; }>},
    {"prompt_tokens.cached", "tokens", kRank, kSum, "of them, the tokens that were in the cache",
     Number<[](M m) { return Rank(m).cached_prompt_tokens; }>},
    {"generation_tokens", "tokens", kRank, kSum, "generated tokens, counted as they are given out",
     Number<[](M m) { return Rank(m).generation_tokens; }>},
    {"finished", "requests", kRank, kSum, "requests that ended by themselves: not aborted ones",
     Number<[](M m) {
       return Ended(m, Outcome::kStop) + Ended(m, Outcome::kLength) + Ended(m, Outcome::kError);
     }>},
    {"finished.stop", "requests", kRank, kSum, "requests that ended with a stop token",
     Number<[](M m) { return Ended(m, Outcome::kStop); }>},
    {"finished.length", "requests", kRank, kSum, "requests that ended at max_tokens",
     Number<[](M m) { return Ended(m, Outcome::kLength); }>},
    {"finished.abort", "requests", kRank, kSum, "requests that the client gave up",
     Number<[](M m) { return Ended(m, Outcome::kAbort); }>},
    {"finished.error", "requests", kRank, kSum, "requests that the engine failed",
     Number<[](M m) { return Ended(m, Outcome::kError); }>},
    {"ended", "requests", kRank, kSum, "requests that ended, aborted ones included",
     Number<[](M m) {
       return Ended(m, Outcome::kStop) + Ended(m, Outcome::kLength) + Ended(m, Outcome::kError) +
              Ended(m, Outcome::kAbort);
     }>},
    {"finished.prompt_tokens", "tokens", kRank, kSum,
     "prompt tokens, counted when the request ends by itself",
     Number<[](M m) { return Rank(m).ended_prompt_tokens; }>},
    {"finished.generation_tokens", "tokens", kRank, kSum,
     "generated tokens, counted when the request ends by itself",
     Number<[](M m) { return Rank(m).ended_generation_tokens; }>},
    {"finished.cached_tokens", "tokens", kRank, kSum,
     "cached prompt tokens, counted when the request ends by itself",
     Number<[](M m) { return Rank(m).ended_cached_tokens; }>},
    {"finished.prompt_tokens.streaming", "tokens", kRank, kSum,
     "of finished.prompt_tokens, those of streaming requests",
     Number<[](M m) { return Rank(m).ended_streaming_prompt_tokens; }>},
    {"finished.prompt_tokens.nonstreaming", "tokens", kRank, kSum,
     "of finished.prompt_tokens, those of the other requests", Number<[](M m) {
       return Rank(m).ended_prompt_tokens - Rank(m).ended_streaming_prompt_tokens;
     }>},
    {"finished.generation_tokens.streaming", "tokens", kRank, kSum,
     "of finished.generation_tokens, those of streaming requests",
     Number<[](M m) { return Rank(m).ended_streaming_generation_tokens; }>},
    {"finished.generation_tokens.nonstreaming", "tokens", kRank, kSum,
     "of finished.generation_tokens, those of the other requests", Number<[](M m) {
       return Rank(m).ended_generation_tokens - Rank(m).ended_streaming_generation_tokens;
     }>},
    {"context_tokens.max", "tokens", kRank, kFirst,
     "longest prompt and output of a request that ended", Number<[](M m) { return Longest(m); }>},
    {"received", "requests", kRank, kSum, "requests taken in; all on the first rank",
     Number<[](M m) { return OnFirstRank(m, m.recorder.frontend().received); }>},
    {"rejected", "requests", kRank, kSum, "requests refused with 429 or 503; all on the first rank",
     Number<[](M m) { return OnFirstRank(m, m.recorder.frontend().rejected); }>},
    {"prefix.queries", "tokens", kRank, kSum,
     "prompt tokens looked up in the cache, at first scheduling",
     Number<[](M m) { return Rank(m).prefix_queries; }>},
    {"prefix.hits", "tokens", kRank, kSum, "of them, the tokens that were there",
     Number<[](M m) { return Rank(m).prefix_hits; }>},
    {"prefix.query_blocks", "blocks", kRank, kSum, "the same in full blocks",
     Number<[](M m) { return Rank(m).prefix_query_blocks; }>},
    {"prefix.hit_blocks", "blocks", kRank, kSum, "the same in full blocks",
     Number<[](M m) { return Rank(m).prefix_hit_blocks; }>},
    {"prefix.miss_blocks", "blocks", kRank, kSum, "the blocks looked up and not found",
     Number<[](M m) { return Rank(m).prefix_query_blocks - Rank(m).prefix_hit_blocks; }>},
    {"steps", "count", kRank, kSum, "passes of the model",
     Number<[](M m) { return Rank(m).steps; }>},
    {"iteration", "count", kRank, kFirst, "number of the last pass",
     Number<[](M m) { return Rank(m).steps; }>},
    {"step_seconds", "s", kRank, kMean, "duration of the last pass",
     Number<[](M m) { return Seconds(Rank(m).last_step.end - Rank(m).last_step.begin); }>},
    {"step.prefill_tokens", "tokens", kRank, kSum, "prompt tokens of the last pass",
     Number<[](M m) { return Rank(m).last_step.prefill_tokens; }>},
    {"step.decode_tokens", "tokens", kRank, kSum, "other tokens of the last pass",
     Number<[](M m) { return Rank(m).last_step.decode_tokens; }>},
    {"step.sequences", "requests", kRank, kSum, "sequences in the last pass", Number<[](M m) {
       return Rank(m).last_step.prefill_sequences + Rank(m).last_step.decode_sequences;
     }>},
    {"steps.mean_sequences", "requests", kRank, kMean, "sequences a pass, since the start",
     Number<[](M m) {
       return Share(static_cast<double>(Rank(m).step_sequences),
                    static_cast<double>(Rank(m).steps));
     }>},
    {"spec.drafts", "count", kRank, kSum, "drafts verified",
     Number<[](M m) { return Rank(m).drafts; }>},
    {"spec.draft_tokens", "tokens", kRank, kSum, "drafted tokens",
     Number<[](M m) { return Rank(m).draft_tokens; }>},
    {"spec.accepted_tokens", "tokens", kRank, kSum, "of them, the accepted ones",
     Number<[](M m) { return Rank(m).accepted_tokens; }>},
    {"spec.accept_length", "tokens", kRank, kMean, "tokens a draft and pass gave, the last time",
     Number<[](M m) { return Rank(m).accept_length; }>},
    {"spec.accept_rate", "ratio", kRank, kMean, "share of drafted tokens accepted, the last time",
     Number<[](M m) { return Rank(m).accept_rate; }>},
    {"spec.draft_length", "tokens", kRank, kMean, "drafted tokens a draft, the last time",
     Number<[](M m) { return Rank(m).draft_length; }>},
    {"spec.accepted.0", "count", kRank, kSum, "drafts of which token 0 was accepted",
     Number<[](M m) { return Rank(m).accepted_at[0]; }>},
    {"spec.accepted.1", "count", kRank, kSum, "drafts of which token 1 was accepted",
     Number<[](M m) { return Rank(m).accepted_at[1]; }>},
    {"spec.accepted.2", "count", kRank, kSum, "drafts of which token 2 was accepted",
     Number<[](M m) { return Rank(m).accepted_at[2]; }>},
    {"spec.accepted.3", "count", kRank, kSum, "drafts of which token 3 was accepted",
     Number<[](M m) { return Rank(m).accepted_at[3]; }>},
    {"spec.accepted.4", "count", kRank, kSum, "drafts of which token 4 was accepted",
     Number<[](M m) { return Rank(m).accepted_at[4]; }>},
    {"spec.accepted.5", "count", kRank, kSum, "drafts of which token 5 was accepted",
     Number<[](M m) { return Rank(m).accepted_at[5]; }>},
    {"spec.accepted.6", "count", kRank, kSum, "drafts of which token 6 was accepted",
     Number<[](M m) { return Rank(m).accepted_at[6]; }>},
    {"spec.accepted.7", "count", kRank, kSum, "drafts of which token 7 was accepted",
     Number<[](M m) { return Rank(m).accepted_at[7]; }>},
    {"spec.accepted.8", "count", kRank, kSum, "drafts of which token 8 was accepted",
     Number<[](M m) { return Rank(m).accepted_at[8]; }>},
    {"spec.accepted.9", "count", kRank, kSum, "drafts of which token 9 was accepted",
     Number<[](M m) { return Rank(m).accepted_at[9]; }>},
    {"gen_throughput", "tokens", kRank, kSum,
     "generated tokens a second, about the last second of passes",
     Number<[](M m) { return Rank(m).generation_tokens_per_s; }>},
    {"prompt_throughput", "tokens", kRank, kSum,
     "prompt tokens a second, about the last second of passes",
     Number<[](M m) { return Rank(m).prompt_tokens_per_s; }>},
    {"cache_hit_rate", "ratio", kRank, kMean,
     "share of prompt tokens in the cache, of the last pass that looked",
     Number<[](M m) { return Rank(m).cache_hit_rate; }>},
    {"max_num_seqs", "requests", kRank, kFirst, "most requests in the running batch",
     Number<[](M m) { return m.recorder.facts().max_num_seqs; }>},
    {"max_num_batched_tokens", "tokens", kRank, kFirst, "most tokens of one pass",
     Number<[](M m) { return m.recorder.facts().max_num_batched_tokens; }>},
    {"max_model_len", "tokens", kRank, kFirst, "most tokens of one request",
     Number<[](M m) { return m.recorder.facts().max_model_len; }>},
    {"http.2xx", "requests", kReplica, kFirst, "responses with a status 2xx",
     Number<[](M m) { return m.recorder.frontend().http_2xx; }>},
    {"http.4xx", "requests", kReplica, kFirst, "responses with a status 4xx",
     Number<[](M m) { return m.recorder.frontend().http_4xx; }>},
    {"http.5xx", "requests", kReplica, kFirst, "responses with a status 5xx",
     Number<[](M m) { return m.recorder.frontend().http_5xx; }>},
    {"http.active", "requests", kReplica, kFirst, "requests without an end yet",
     Number<[](M m) { return m.recorder.frontend().http_active; }>},
    {"http.request_bytes", "bytes", kReplica, kFirst, "bytes of request bodies", Number<[](M m) {
       return m.recorder.rank(0).distributions[Index(Distribution::kHttpRequestBytes)].sum;
     }>},
    {"http.response_bytes", "bytes", kReplica, kFirst,
     "bytes of response bodies that say their length: no streams", Number<[](M m) {
       return m.recorder.rank(0).distributions[Index(Distribution::kHttpResponseBytes)].sum;
     }>},
    {"cpu_seconds", "s", kReplica, kFirst, "processor time of the process, roughly",
     Number<[](M m) { return CpuSeconds(m); }>},
    {"start_time", "time", kReplica, kFirst, "when the process began",
     Number<[](M m) { return m.recorder.facts().start_unix_s; }>},
    {"now", "time", kReplica, kFirst, "the time of the page",
     Number<[](M m) { return m.now_unix_s; }>},
    {"now.microseconds", "count", kReplica, kFirst, "the time of the page in microseconds",
     Number<[](M m) { return std::floor(m.now_unix_s * 1e6); }>},
    {"uptime_seconds", "s", kReplica, kFirst, "since the process began",
     Number<[](M m) { return m.now_unix_s - m.recorder.facts().start_unix_s; }>},
    {"gpu.index", "count", kGpu, kFirst, "number of the GPU on its host", nullptr,
     Reading<&GpuReading::index>},
    {"gpu.util", "ratio", kGpu, kFirst, "share of time with a kernel running", nullptr,
     Reading<&GpuReading::util>},
    {"gpu.gr_active", "ratio", kGpu, kFirst, "share of time with the compute engine active",
     nullptr, Reading<&GpuReading::gr_active>},
    {"gpu.sm_active", "ratio", kGpu, kFirst, "share of time and multiprocessors with a warp",
     nullptr, Reading<&GpuReading::sm_active>},
    {"gpu.sm_occupancy", "ratio", kGpu, kFirst, "resident warps, of the possible ones", nullptr,
     Reading<&GpuReading::sm_occupancy>},
    {"gpu.tensor_active", "ratio", kGpu, kFirst, "share of time with tensor cores active", nullptr,
     Reading<&GpuReading::tensor_active>},
    {"gpu.dram_active", "ratio", kGpu, kFirst, "share of time with memory moving data", nullptr,
     Reading<&GpuReading::dram_active>},
    {"gpu.copy_util", "ratio", kGpu, kFirst, "share of time with memory read or written", nullptr,
     Reading<&GpuReading::copy_util>},
    {"gpu.fb_used", "bytes", kGpu, kFirst, "memory in use", nullptr,
     Reading<&GpuReading::fb_used_bytes>},
    {"gpu.fb_free", "bytes", kGpu, kFirst, "memory free", nullptr,
     Reading<&GpuReading::fb_free_bytes>},
    {"gpu.fb_reserved", "bytes", kGpu, kFirst, "memory of driver and firmware", nullptr,
     Reading<&GpuReading::fb_reserved_bytes>},
    {"gpu.fb_total", "bytes", kGpu, kFirst, "all memory", nullptr,
     Reading<&GpuReading::fb_total_bytes>},
    {"gpu.power", "W", kGpu, kFirst, "power drawn", nullptr, Reading<&GpuReading::power_watts>},
    {"gpu.power_limit", "W", kGpu, kFirst, "power limit in force", nullptr,
     Reading<&GpuReading::power_limit_watts>},
    {"gpu.energy", "J", kGpu, kFirst, "energy since the driver was loaded", nullptr,
     Reading<&GpuReading::energy_joules>},
    {"gpu.temperature", "celsius", kGpu, kFirst, "temperature of the chip", nullptr,
     Reading<&GpuReading::temperature_celsius>},
    {"gpu.memory_temperature", "celsius", kGpu, kFirst, "temperature of the memory", nullptr,
     Reading<&GpuReading::memory_temperature_celsius>},
    {"gpu.sm_clock", "Hz", kGpu, kFirst, "clock of the multiprocessors", nullptr,
     Reading<&GpuReading::sm_clock_hz>},
    {"gpu.mem_clock", "Hz", kGpu, kFirst, "clock of the memory", nullptr,
     Reading<&GpuReading::mem_clock_hz>},
    {"gpu.xid", "code", kGpu, kFirst, "code of the last XID error, 0 for none", nullptr,
     Reading<&GpuReading::xid>},
    {"gpu.throttle_mask", "code", kGpu, kFirst, "why clocks are held back, as NVML bits", nullptr,
     Reading<&GpuReading::throttle_mask>},
    {"gpu.throttle.power_cap", "bool", kGpu, kFirst,
     "1 while clocks are held back by the power limit", nullptr, Throttled<kThrottlePowerCap>},
    {"gpu.throttle.hw_slowdown", "bool", kGpu, kFirst,
     "1 while clocks are held back by a slowdown by hardware", nullptr,
     Throttled<kThrottleHwSlowdown>},
    {"gpu.throttle.sw_thermal", "bool", kGpu, kFirst,
     "1 while clocks are held back by heat, by the driver", nullptr, Throttled<kThrottleSwThermal>},
    {"gpu.throttle.hw_thermal", "bool", kGpu, kFirst,
     "1 while clocks are held back by heat, by hardware", nullptr, Throttled<kThrottleHwThermal>},
    {"gpu.throttle.power_brake", "bool", kGpu, kFirst,
     "1 while clocks are held back by the power supply", nullptr, Throttled<kThrottlePowerBrake>},
    {"gpu.throttle.idle", "bool", kGpu, kFirst,
     "1 while clocks are held back by having nothing to do", nullptr, Throttled<kThrottleIdle>},
    {"gpu.ecc_sbe", "count", kGpu, kFirst, "memory errors corrected", nullptr,
     Reading<&GpuReading::ecc_sbe>},
    {"gpu.ecc_dbe", "count", kGpu, kFirst, "memory errors not corrected", nullptr,
     Reading<&GpuReading::ecc_dbe>},
    {"gpu.remapped_correctable", "count", kGpu, kFirst, "rows replaced after corrected errors",
     nullptr, Reading<&GpuReading::remapped_correctable>},
    {"gpu.remapped_uncorrectable", "count", kGpu, kFirst, "rows replaced after other errors",
     nullptr, Reading<&GpuReading::remapped_uncorrectable>},
    {"gpu.row_remap_failure", "bool", kGpu, kFirst, "1 when a row could not be replaced", nullptr,
     Reading<&GpuReading::row_remap_failure>},
    {"gpu.pcie_tx", "bytes", kGpu, kFirst, "bytes a second sent over PCIe", nullptr,
     Reading<&GpuReading::pcie_tx_bytes_per_s>},
    {"gpu.pcie_rx", "bytes", kGpu, kFirst, "bytes a second received over PCIe", nullptr,
     Reading<&GpuReading::pcie_rx_bytes_per_s>},
    {"gpu.pcie_replay", "count", kGpu, kFirst, "PCIe packets sent again", nullptr,
     Reading<&GpuReading::pcie_replay>},
    {"gpu.nvlink_tx", "bytes", kGpu, kFirst, "bytes a second sent over NVLink", nullptr,
     Reading<&GpuReading::nvlink_tx_bytes_per_s>},
    {"gpu.nvlink_rx", "bytes", kGpu, kFirst, "bytes a second received over NVLink", nullptr,
     Reading<&GpuReading::nvlink_rx_bytes_per_s>},
    {"gpu.nvlink_bytes", "bytes", kGpu, kFirst,
     "bytes over NVLink, both ways, since the driver was loaded", nullptr,
     Reading<&GpuReading::nvlink_bytes>},
    {"gateway.active", "requests", kGateway, kSum, "requests in flight at a server", nullptr,
     nullptr, Gateway<&GatewayReading::active>},
    {"gateway.prefilling", "requests", kGateway, kSum, "of them, those before the first token",
     nullptr, nullptr, Gateway<&GatewayReading::prefilling>},
    {"gateway.decoding", "requests", kGateway, kSum, "of them, those after the first token",
     nullptr, nullptr,
     [](const GatewayReading& g) { return static_cast<double>(g.active - g.prefilling); }},
    {"gateway.qps", "requests", kGateway, kSum, "requests a second, in a window", nullptr, nullptr,
     Gateway<&GatewayReading::requests_per_second>},
    {"gateway.duration.recent", "s", kGateway, kSum, "mean time of a request, in a window", nullptr,
     nullptr, Gateway<&GatewayReading::recent_duration_s>},
    {"gateway.healthy", "bool", kGateway, kSum, "1 while a server is healthy", nullptr, nullptr,
     Gateway<&GatewayReading::healthy>},
    {"gateway.requests", "requests", kGateway, kSum, "requests taken", nullptr, nullptr,
     Gateway<&GatewayReading::requests>},
    {"gateway.errors", "requests", kGateway, kSum, "requests that failed", nullptr, nullptr,
     Gateway<&GatewayReading::errors>},
};

// In the order of Distribution.
constexpr DistributionInfo kDistributionInfos[] = {
    {"ttft", "s", kRank, "arrival to first token given out, once there is one"},
    {"ttft.streaming", "s", kRank, "the same, of streaming requests"},
    {"ttft.nonstreaming", "s", kRank, "the same, of the others"},
    {"itl", "s", kRank, "gap between two passes that gave tokens to a request"},
    {"itl.per_token", "s", kRank, "that gap shared out over its tokens, each counted"},
    {"iteration_tokens", "tokens", kRank, "tokens of one pass"},
    {"http_duration", "s", kReplica, "arrival to the end of the response, however it ends"},
    {"first_response", "s", kReplica,
     "arrival to the first byte: the first token of a stream, else the end"},
    {"http.request_bytes", "bytes", kReplica, "body of a request"},
    {"http.response_bytes", "bytes", kReplica, "body of a response; 0 for streams"},
    {"gateway.duration", "s", Scope::kGateway, "whole time of a request at a gateway"},
    {"e2e", "s", kRank, "arrival to last token given out"},
    {"e2e.streaming", "s", kRank, "the same, of streaming requests"},
    {"e2e.nonstreaming", "s", kRank, "the same, of the others"},
    {"tpot", "s", kRank, "decode time by tokens after the first; 0 where there is one token"},
    {"queue", "s", kRank, "queued in the engine core to first scheduled"},
    {"prefill", "s", kRank, "first scheduled to first token"},
    {"decode", "s", kRank, "first token to last token"},
    {"inference", "s", kRank, "first scheduled to last token"},
    {"prompt_tokens", "tokens", kRank, "prompt tokens"},
    {"generation_tokens", "tokens", kRank, "generated tokens"},
    {"computed_prompt_tokens", "tokens", kRank, "prompt tokens that were not in the cache"},
    {"max_tokens", "tokens", kRank, "max_tokens that was asked for"},
    {"params_n", "count", kRank, "answers asked for: always 1"},
    {"preemptions_per_request", "count", kRank, "preemptions"},
    {"e2e.with_aborts", "s", kRank, "with aborted requests: arrival to last token given out"},
    {"e2e.streaming.with_aborts", "s", kRank,
     "with aborted requests: the same, of streaming requests"},
    {"e2e.nonstreaming.with_aborts", "s", kRank, "with aborted requests: the same, of the others"},
    {"tpot.with_aborts", "s", kRank,
     "with aborted requests: decode time by tokens after the first; 0 where there is one token"},
    {"queue.with_aborts", "s", kRank,
     "with aborted requests: queued in the engine core to first scheduled"},
    {"prefill.with_aborts", "s", kRank, "with aborted requests: first scheduled to first token"},
    {"decode.with_aborts", "s", kRank, "with aborted requests: first token to last token"},
    {"inference.with_aborts", "s", kRank, "with aborted requests: first scheduled to last token"},
    {"prompt_tokens.with_aborts", "tokens", kRank, "with aborted requests: prompt tokens"},
    {"generation_tokens.with_aborts", "tokens", kRank, "with aborted requests: generated tokens"},
    {"computed_prompt_tokens.with_aborts", "tokens", kRank,
     "with aborted requests: prompt tokens that were not in the cache"},
    {"max_tokens.with_aborts", "tokens", kRank,
     "with aborted requests: max_tokens that was asked for"},
    {"params_n.with_aborts", "count", kRank, "with aborted requests: answers asked for: always 1"},
    {"preemptions_per_request.with_aborts", "count", kRank, "with aborted requests: preemptions"},
};
static_assert(std::size(kDistributionInfos) == kDistributions);

// "e2e.sum" and "e2e.count" of every distribution.
template <std::size_t kIndex>
double SumOf(const RankMoment& m) {
  return Rank(m).distributions[kIndex].sum;
}
template <std::size_t kIndex>
double CountOf(const RankMoment& m) {
  return static_cast<double>(Rank(m).distributions[kIndex].count);
}
using ReadRank = double (*)(const RankMoment&);
template <std::size_t... kIndex>
constexpr std::array<std::array<ReadRank, 2>, kDistributions> Totals(
    std::index_sequence<kIndex...> /*all*/) {
  return {{{SumOf<kIndex>, CountOf<kIndex>}...}};
}
constexpr auto kTotals = Totals(std::make_index_sequence<kDistributions>());

struct Table {
  Table() {
    quantities.assign(std::begin(kNumbers), std::end(kNumbers));
    for (std::size_t i = 0; i < kDistributions; ++i) {
      const DistributionInfo& info = kDistributionInfos[i];
      // Of the front-end's distributions rank 0 keeps all, so their sum over ranks is right.
      const auto add = [&](std::string_view suffix, std::string_view unit, ReadRank read) {
        names.push_back(std::string(info.name) + std::string(suffix));
        quantities.push_back({names.back(), unit, kRank, kSum, info.help, read, nullptr});
      };
      add(".sum", info.unit, kTotals[i][0]);
      add(".count", "count", kTotals[i][1]);
    }
    for (const Quantity& quantity : quantities) by_name.push_back(&quantity);
    std::ranges::sort(by_name, {}, &Quantity::name);
  }
  std::deque<std::string> names;  // addresses stay
  std::vector<Quantity> quantities;
  std::vector<const Quantity*> by_name;
};
const Table& TheTable() {
  static const Table table;
  return table;
}

}  // namespace

const Quantity* FindQuantity(std::string_view name) {
  const auto& table = TheTable().by_name;
  const auto at = std::ranges::lower_bound(table, name, {}, &Quantity::name);
  return at != table.end() && (*at)->name == name ? *at : nullptr;
}

std::optional<Distribution> FindDistribution(std::string_view name) {
  const auto at = std::ranges::find(kDistributionInfos, name, &DistributionInfo::name);
  if (at == std::end(kDistributionInfos)) return std::nullopt;
  return static_cast<Distribution>(at - std::begin(kDistributionInfos));
}

const DistributionInfo& InfoOf(Distribution distribution) {
  return kDistributionInfos[Index(distribution)];
}

std::vector<const Quantity*> AllQuantities() {
  std::vector<const Quantity*> all;
  for (const Quantity& quantity : TheTable().quantities) all.push_back(&quantity);
  return all;
}

std::vector<const DistributionInfo*> AllDistributions() {
  std::vector<const DistributionInfo*> all;
  for (const DistributionInfo& info : kDistributionInfos) all.push_back(&info);
  return all;
}

}  // namespace firstword::simulate
