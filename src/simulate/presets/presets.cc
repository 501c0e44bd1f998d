#include "simulate/presets/presets.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <utility>

#include "base/nearest.h"
#include "simulate/presets/embedded.h"
#include "simulate/presets/preset_fields.h"

namespace firstword::simulate {
namespace {

constexpr double kGiga = 1e9;
constexpr double kTera = 1e12;

void ReadGpu(FieldReader& fields, GpuSpec& gpu) {
  fields.Text("name", gpu.name);
  fields.Text("model_name", gpu.model_name);
  fields.Number("memory_gib", gpu.memory_gib);
  fields.Number("bandwidth_gb_s", gpu.bandwidth_bytes_per_s, kGiga);
  fields.Number("bf16_tflops", gpu.bf16_flops, kTera);
  fields.Number("fp8_tflops", gpu.fp8_flops, kTera);
  fields.Number("power_watts", gpu.power_limit_watts);
  fields.Number("idle_watts", gpu.idle_watts);
  fields.Number("sm_clock_mhz", gpu.sm_clock_mhz);
  fields.Number("mem_clock_mhz", gpu.mem_clock_mhz);
  fields.Number("memory_share", gpu.memory_share);
  fields.Number("compute_share", gpu.compute_share);
  fields.Number("link_gb_s", gpu.link_bytes_per_s, kGiga);
  fields.Number("link_latency_us", gpu.link_latency_s, 1e-6);
}

void ReadModel(FieldReader& fields, ModelSpec& model) {
  fields.Text("name", model.name);
  fields.Text("served_as", model.served_as);
  fields.Number("parameters_b", model.parameters, kGiga);
  fields.Number("active_b", model.active_parameters, kGiga);
  fields.Count("layers", model.layers, 1);
  fields.Count("hidden", model.hidden, 1);
  fields.Count("heads", model.heads, 1);
  fields.Count("kv_heads", model.kv_heads, 1);
  fields.Count("head_dim", model.head_dim, 1);
  fields.Number("kv_bytes_per_token_layer", model.kv_bytes_per_token_layer);
  fields.Count("experts", model.experts);
  fields.Count("experts_chosen", model.experts_chosen);
  fields.Number("expert_b", model.expert_parameters, kGiga);
  fields.Number("weight_bytes", model.weight_bytes);
  fields.Number("kv_bytes", model.kv_bytes);
  fields.Count("max_model_len", model.max_model_len, 1);
  fields.Count("default_tp", model.default_tp, 1);
}

// Every row of the one list that the file has.
void ReadRows(std::string_view file, std::string_view list, std::string_view what,
              const std::function<void(FieldReader&)>& read, Error& error) {
  if (!error.message.empty()) return;
  const std::span<const yaml::EmbeddedFile> files = EmbeddedPresets();
  const auto found = std::ranges::find(files, file, &yaml::EmbeddedFile::name);
  const Result<yaml::Node> document = yaml::Parse(found->content, file);
  if (!document) {
    error = document.error();
    return;
  }
  yaml::Faults faults(file);
  yaml::CheckKeys(*document, "a preset file", {list}, faults);
  if (const yaml::Node* rows = document->Find(list)) {
    for (const yaml::Node& row : yaml::ReadItems(*rows, list, faults)) {
      FieldReader fields(row, what, faults);
      read(fields);
    }
  }
  if (faults.any()) error = faults.error();
}

template <typename T>
std::vector<std::string_view> NamesOf(const std::vector<T>& rows) {
  std::vector<std::string_view> names;
  for (const T& row : rows) names.push_back(row.name);
  return names;
}

template <typename T>
Result<T> FindRow(const std::vector<T>& rows, std::string_view name, std::string_view what) {
  const auto found = std::ranges::find(rows, name, &T::name);
  if (found != rows.end()) return *found;
  const std::vector<std::string_view> names = NamesOf(rows);
  std::string hint = DidYouMean(name, names);
  if (hint.empty()) hint = fmt::format("there are {}", fmt::join(names, ", "));
  return Fail(ErrorCode::kInvalid, fmt::format("unknown {} \"{}\"", what, name), std::move(hint));
}

// Release numbers part by part; a missing part is 0, what is no number ends it.
bool AtLeast(std::string_view version, std::string_view since) {
  while (!version.empty() || !since.empty()) {
    const auto take = [](std::string_view& text) {
      int value = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      text.remove_prefix(error == std::errc() ? static_cast<std::size_t>(end - text.data())
                                              : text.size());
      if (text.starts_with('.')) text.remove_prefix(1);
      return value;
    };
    const int a = take(version);
    const int b = take(since);
    if (a != b) return a > b;
  }
  return true;
}

}  // namespace

Result<Presets> Presets::LoadBuiltin() {
  Presets presets;
  Error error;
  ReadRows(
      "gpus.yaml", "gpus", "a GPU",
      [&](FieldReader& fields) { ReadGpu(fields, presets.gpus_.emplace_back()); }, error);
  ReadRows(
      "models.yaml", "models", "a model",
      [&](FieldReader& fields) { ReadModel(fields, presets.models_.emplace_back()); }, error);
  ReadRows(
      "workloads.yaml", "workloads", "a workload",
      [&](FieldReader& fields) {
        WorkloadSpec& workload = presets.workloads_.emplace_back();
        fields.Text("name", workload.name);
        ReadWorkloadFields(fields, workload);
      },
      error);
  ReadRows(
      "engines.yaml", "engines", "an engine",
      [&](FieldReader& fields) {
        EngineRow& row = presets.engines_.emplace_back();
        fields.Text("engine", row.engine);
        fields.Text("since", row.since);
        ReadEngineFields(fields, row.config);
      },
      error);
  if (!error.message.empty()) return std::unexpected(std::move(error));
  return presets;
}

Result<GpuSpec> Presets::Gpu(std::string_view name) const { return FindRow(gpus_, name, "GPU"); }
Result<ModelSpec> Presets::Model(std::string_view name) const {
  return FindRow(models_, name, "model");
}
Result<WorkloadSpec> Presets::Workload(std::string_view name) const {
  return FindRow(workloads_, name, "workload");
}

Result<EngineConfig> Presets::Engine(std::string_view engine, std::string_view version) const {
  const EngineRow* best = nullptr;
  for (const EngineRow& row : engines_) {
    if (row.engine == engine && (row.since.empty() || AtLeast(version, row.since))) best = &row;
  }
  if (best != nullptr) return best->config;
  std::vector<std::string_view> names;
  for (const EngineRow& row : engines_) {
    if (row.since.empty()) names.push_back(row.engine);
  }
  return Fail(ErrorCode::kInvalid, fmt::format("\"{}\" is no engine that can be simulated", engine),
              fmt::format("there are {}", fmt::join(names, ", ")));
}

std::vector<std::string_view> Presets::gpu_names() const { return NamesOf(gpus_); }
std::vector<std::string_view> Presets::model_names() const { return NamesOf(models_); }
std::vector<std::string_view> Presets::workload_names() const { return NamesOf(workloads_); }

}  // namespace firstword::simulate
