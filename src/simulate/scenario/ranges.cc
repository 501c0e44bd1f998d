#include "simulate/scenario/ranges.h"

#include <fmt/format.h>

namespace firstword::simulate {
namespace {

constexpr double kMostTokens = 1e7;
constexpr double kMostSeconds = 1e6;
constexpr double kMostMicroseconds = 1e7;
constexpr double kLeastShare = 0.01;  // of what is there, so that it ends at all

constexpr Range kTraffic[] = {{"rate", 0, 100'000}, {"burstiness", 0.01, 1e6}, {"skew", 0, 1}};

constexpr Range kWorkload[] = {{"groups", 0, 1e6},
                               {"shared_tokens", 0, kMostTokens},
                               {"group_skew", 0, 10},
                               {"prompt_tokens", 0, kMostTokens},
                               {"output_tokens", 0, kMostTokens},
                               {"max_tokens", 1, kMostTokens},
                               {"turns", 0, 10'000},
                               {"turn_tokens", 0, kMostTokens},
                               {"think_seconds", 0, kMostSeconds},
                               {"streaming_share", 0, 1},
                               {"abort_share", 0, 1},
                               {"patience_seconds", 0, kMostSeconds}};

constexpr Range kEvent[] = {{"rate", 0, 100'000},
                            {"prompt_factor", 0.001, 1000},
                            {"output_factor", 0.001, 1000},
                            {"skew", 0, 1},
                            {"clock_share", kLeastShare, 1},
                            {"bandwidth_share", kLeastShare, 1},
                            {"host_factor", kLeastShare, 10'000},
                            {"acceptance", 0, 1},
                            {"rank_skew", 0, 1},
                            {"xid", 0, 1000}};

constexpr Range kNode[] = {{"replicas", 1, 64}, {"tp", 1, 64}, {"dp", 1, 64}};

constexpr Range kEngine[] = {{"max_num_seqs", 1, 100'000},
                             {"max_num_batched_tokens", 1, kMostTokens},
                             {"long_prefill_threshold", 0, kMostTokens},
                             {"gpu_memory_utilization", kLeastShare, 1},
                             {"block_tokens", 1, 1024},
                             {"draft_tokens", 0, 64},
                             {"acceptance", 0, 1},
                             {"draft_cost", 0, 10},
                             {"tokenize", 0, kMostMicroseconds},
                             {"tokenize_per_token", 0, kMostMicroseconds},
                             {"frontend_workers", 1, 1000},
                             {"step", 0, kMostMicroseconds},
                             {"step_per_sequence", 0, kMostMicroseconds},
                             {"output", 0, kMostMicroseconds},
                             {"output_per_sequence", 0, kMostMicroseconds}};

// How much a spread varies has limits of its own.
constexpr Range kVariation{"cv", 0, 20};

void CheckNumber(const yaml::Node& node, const Range& range, yaml::Faults& faults) {
  const double value = yaml::ReadNumber(node, range.key, faults);
  // Neither is what is not a number.
  if (value >= range.min && value <= range.max) return;
  faults.Add(node, fmt::format("\"{}\" must be from {} to {}", range.key, range.min, range.max));
}

void CheckSpread(const yaml::Node& spread, const Range& range, yaml::Faults& faults) {
  for (const std::string_view key : {"mean", "min", "max"}) {
    if (const yaml::Node* node = spread.Find(key)) CheckNumber(*node, range, faults);
  }
  if (const yaml::Node* node = spread.Find("cv")) CheckNumber(*node, kVariation, faults);
}

const Range* Find(std::span<const Range> ranges, std::string_view key) {
  for (const Range& range : ranges) {
    if (range.key == key) return &range;
  }
  return nullptr;
}

}  // namespace

std::span<const Range> TrafficRanges() { return kTraffic; }
std::span<const Range> WorkloadRanges() { return kWorkload; }
std::span<const Range> EventRanges() { return kEvent; }
std::span<const Range> NodeRanges() { return kNode; }
std::span<const Range> EngineRanges() { return kEngine; }

void CheckRanges(const yaml::Node& map, std::span<const Range> ranges, yaml::Faults& faults) {
  for (std::size_t i = 0; i < map.items.size() && i < map.keys.size(); ++i) {
    const yaml::Node& item = map.items[i];
    const Range* range = Find(ranges, map.keys[i].text);
    const bool is_map = item.kind == yaml::Node::Kind::kMap;
    if (range == nullptr) {
      if (is_map) CheckRanges(item, ranges, faults);
    } else if (is_map) {
      CheckSpread(item, *range, faults);
    } else {
      CheckNumber(item, *range, faults);
    }
  }
}

}  // namespace firstword::simulate
