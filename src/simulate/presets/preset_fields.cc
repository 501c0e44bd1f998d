#include "simulate/presets/preset_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/nearest.h"

namespace firstword::simulate {
namespace {

constexpr std::array<std::string_view, 4> kShapes = {"fixed", "uniform", "lognormal",
                                                     "exponential"};
constexpr std::array<std::string_view, 2> kMixings = {"mixed", "prefill-first"};
constexpr std::array<std::string_view, 4> kPolicies = {"recompute", "retract", "reserve",
                                                       "max-utilization"};

void ReadHost(const yaml::Node& node, HostCost& host, yaml::Faults& faults) {
  FieldReader fields(node, "\"host\"", faults);
  fields.Number("tokenize", host.tokenize_s, 1e-6);
  fields.Number("tokenize_per_token", host.tokenize_per_token_s, 1e-6);
  fields.Count("frontend_workers", host.frontend_workers, 1);
  fields.Number("step", host.step_s, 1e-6);
  fields.Number("step_per_sequence", host.step_per_sequence_s, 1e-6);
  fields.Number("output", host.output_s, 1e-6);
  fields.Number("output_per_sequence", host.output_per_sequence_s, 1e-6);
  fields.Flag("overlapped", host.overlapped);
}

void ReadSpeculation(const yaml::Node& node, SpeculationConfig& speculation, yaml::Faults& faults) {
  FieldReader fields(node, "\"speculation\"", faults);
  fields.Count("draft_tokens", speculation.draft_tokens);
  fields.Number("acceptance", speculation.acceptance, 1, 0, 1);
  fields.Number("draft_cost", speculation.draft_cost);
}

}  // namespace

FieldReader::FieldReader(const yaml::Node& node, std::string_view what, yaml::Faults& faults)
    : node_(node), what_(what), faults_(faults) {
  yaml::ExpectMap(node, what, faults);
}

FieldReader::~FieldReader() {
  for (const yaml::Node& key : node_.keys) {
    if (std::ranges::find(asked_, key.text) != asked_.end()) continue;
    std::string hint = DidYouMean(key.text, asked_);
    if (hint.empty()) hint = fmt::format("keys: {}", fmt::join(asked_, ", "));
    faults_.Add(key, fmt::format("{} has no key \"{}\"", what_, key.text), std::move(hint));
  }
}

const yaml::Node* FieldReader::Take(std::string_view key) {
  asked_.push_back(key);
  return node_.Find(key);
}

void FieldReader::Require(std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (node_.Find(key) == nullptr) {
      faults_.Add(node_, fmt::format("{} needs \"{}\"", what_, key));
    }
  }
}

void FieldReader::Number(std::string_view key, double& to, double scale, double min, double max) {
  const yaml::Node* node = Take(key);
  if (node == nullptr) return;
  const double value = yaml::ReadNumber(*node, key, faults_);
  if (!std::isfinite(value) || value < min || value > max) {
    const std::string bounds = std::isfinite(max) ? fmt::format("from {} to {}", min, max)
                                                  : fmt::format("of at least {}", min);
    faults_.Add(*node, fmt::format("\"{}\" must be a number {}", key, bounds));
    return;
  }
  to = value * scale;
}

void FieldReader::Count(std::string_view key, std::uint32_t& to, std::uint32_t min) {
  const yaml::Node* node = Take(key);
  if (node == nullptr) return;
  const double value = yaml::ReadNumber(*node, key, faults_);
  if (value != std::floor(value) || value < min || value > 1e9) {
    faults_.Add(*node, fmt::format("\"{}\" must be a whole number of at least {}", key, min));
    return;
  }
  to = static_cast<std::uint32_t>(value);
}

void FieldReader::Flag(std::string_view key, bool& to) {
  const yaml::Node* node = Take(key);
  if (node != nullptr) to = ReadFlag(*node, key, faults_);
}

void FieldReader::Text(std::string_view key, std::string& to) {
  const yaml::Node* node = Take(key);
  if (node != nullptr) to = yaml::ReadText(*node, key, faults_);
}

void FieldReader::Spreads(std::string_view key, Spread& to) {
  const yaml::Node* node = Take(key);
  if (node == nullptr) return;
  if (node->kind != yaml::Node::Kind::kMap) {
    to = Spread{.mean = yaml::ReadNumber(*node, key, faults_)};
    return;
  }
  Spread spread{.shape = Spread::Shape::kLognormal};
  FieldReader fields(*node, key, faults_);
  fields.Word("shape", kShapes, spread.shape);
  fields.Number("mean", spread.mean);
  fields.Number("cv", spread.cv);
  fields.Number("min", spread.min);
  fields.Number("max", spread.max);
  if (spread.shape == Spread::Shape::kUniform) {
    if (spread.max < spread.min) faults_.Add(*node, "\"max\" is below \"min\"");
    spread.mean = (spread.min + spread.max) / 2;
  }
  to = spread;
}

bool ReadFlag(const yaml::Node& node, std::string_view what, yaml::Faults& faults) {
  const std::string text = yaml::ReadText(node, what, faults);
  if (text != "true" && text != "false") {
    faults.Add(node, fmt::format("\"{}\" must be true or false", what));
  }
  return text == "true";
}

void ReadWorkloadFields(FieldReader& fields, WorkloadSpec& workload) {
  fields.Text("title", workload.title);
  fields.Count("groups", workload.groups);
  fields.Spreads("shared_tokens", workload.shared_tokens);
  fields.Number("group_skew", workload.group_skew);
  fields.Spreads("prompt_tokens", workload.prompt_tokens);
  fields.Spreads("output_tokens", workload.output_tokens);
  fields.Count("max_tokens", workload.max_tokens, 1);
  fields.Spreads("turns", workload.turns);
  fields.Spreads("turn_tokens", workload.turn_tokens);
  fields.Spreads("think_seconds", workload.think_seconds);
  fields.Number("streaming_share", workload.streaming_share, 1, 0, 1);
  fields.Number("abort_share", workload.abort_share, 1, 0, 1);
  fields.Spreads("patience_seconds", workload.patience_seconds);
}

void ReadEngineFields(FieldReader& fields, EngineConfig& config) {
  fields.Word("mixing", kMixings, config.mixing);
  fields.Word("memory", kPolicies, config.memory);
  fields.Flag("priority_scheduling", config.priority_scheduling);
  fields.Count("max_num_seqs", config.max_num_seqs, 1);
  fields.Count("max_num_batched_tokens", config.max_num_batched_tokens, 1);
  fields.Flag("chunked_prefill", config.chunked_prefill);
  fields.Count("long_prefill_threshold", config.long_prefill_threshold);
  fields.Number("gpu_memory_utilization", config.gpu_memory_utilization, 1, 0, 1);
  fields.Count("block_tokens", config.block_tokens, 1);
  fields.Count("kv_blocks", config.kv_blocks);
  fields.Flag("prefix_caching", config.prefix_caching);
  if (const yaml::Node* node = fields.Take("speculation")) {
    ReadSpeculation(*node, config.speculation, fields.faults());
  }
  if (const yaml::Node* node = fields.Take("host")) {
    ReadHost(*node, config.host, fields.faults());
  }
}

}  // namespace firstword::simulate
