#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "simulate/gpu/gpu_reading.h"
#include "simulate/pages/gateway_reading.h"

// The quantities that `value` of an export may name: one table, in quantities.cc.

namespace firstword::simulate {

class Recorder;

// What a histogram or a summary may show. "End" ones are observed when a request ends by
// itself; an aborted one is only in their twins of kWithAborts, where what it did not reach
// is 0.
enum class Distribution : std::uint8_t {
  kTtft,
  kTtftStreaming,
  kTtftNonstreaming,
  kItl,
  kItlPerToken,
  kIterationTokens,
  kHttpDuration,
  kFirstResponse,
  kHttpRequestBytes,
  kHttpResponseBytes,
  kGatewayDuration,
  // Observed at the end of a request. The same order below, with aborts.
  kE2e,
  kE2eStreaming,
  kE2eNonstreaming,
  kTpot,
  kQueue,
  kPrefill,
  kDecode,
  kInference,
  kPromptTokens,
  kGenerationTokens,
  kComputedPromptTokens,
  kMaxTokens,
  kParamsN,
  kPreemptionsPerRequest,
  kFirstWithAborts,
};
inline constexpr std::size_t kEndDistributions =
    static_cast<std::size_t>(Distribution::kFirstWithAborts) -
    static_cast<std::size_t>(Distribution::kE2e);
inline constexpr std::size_t kDistributions =
    static_cast<std::size_t>(Distribution::kFirstWithAborts) + kEndDistributions;
[[nodiscard]] constexpr Distribution WithAborts(Distribution end) {
  return static_cast<Distribution>(static_cast<std::size_t>(end) + kEndDistributions);
}

// Where a quantity has a value of its own.
enum class Scope : std::uint8_t { kRank, kReplica, kGpu, kGateway };
// What several ranks make together where a page has one row for all.
enum class Merge : std::uint8_t { kSum, kMean, kFirst };

// A moment in the life of one rank, for the functions of the table.
struct RankMoment {
  const Recorder& recorder;
  std::uint32_t rank = 0;
  double now_unix_s = 0;
};

struct Quantity {
  std::string_view name;
  std::string_view unit;  // a word of docs/dialects.md
  Scope scope = Scope::kRank;
  Merge merge = Merge::kSum;
  std::string_view help;
  // One of the three, by scope.
  double (*read)(const RankMoment&) = nullptr;
  std::optional<double> (*read_gpu)(const GpuReading&) = nullptr;
  double (*read_gateway)(const GatewayReading&) = nullptr;
};

struct DistributionInfo {
  std::string_view name;
  std::string_view unit;
  Scope scope = Scope::kRank;
  std::string_view help;
};

// Null when there is no number of that name. "e2e.sum" and "e2e.count" are numbers too.
[[nodiscard]] const Quantity* FindQuantity(std::string_view name);
// For histograms and summaries; some names are distributions and numbers alike.
[[nodiscard]] std::optional<Distribution> FindDistribution(std::string_view name);
[[nodiscard]] const DistributionInfo& InfoOf(Distribution distribution);

// In the order of the table, for documents and tests.
[[nodiscard]] std::vector<const Quantity*> AllQuantities();
[[nodiscard]] std::vector<const DistributionInfo*> AllDistributions();

}  // namespace firstword::simulate
