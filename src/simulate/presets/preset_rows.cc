#include "simulate/presets/preset_rows.h"

namespace firstword::simulate {
namespace {

constexpr double kGiga = 1e9;
constexpr double kTera = 1e12;
constexpr double kMicro = 1e-6;
// Below this a step would take for ever, or divide by zero.
constexpr double kLeastShare = 0.01;

}  // namespace

void ReadGpu(FieldReader& fields, GpuSpec& gpu) {
  fields.Require({"name", "model_name", "memory_gib", "bandwidth_gb_s", "bf16_tflops",
                  "power_watts", "idle_watts", "sm_clock_mhz", "mem_clock_mhz"});
  fields.Text("name", gpu.name);
  fields.Text("model_name", gpu.model_name);
  fields.Number("memory_gib", gpu.memory_gib, 1, 1);
  fields.Number("bandwidth_gb_s", gpu.bandwidth_bytes_per_s, kGiga, 1);
  fields.Number("bf16_tflops", gpu.bf16_flops, kTera, 1);
  fields.Number("fp8_tflops", gpu.fp8_flops, kTera);
  fields.Number("power_watts", gpu.power_limit_watts, 1, 1);
  fields.Number("idle_watts", gpu.idle_watts);
  fields.Number("sm_clock_mhz", gpu.sm_clock_mhz, 1, 1);
  fields.Number("mem_clock_mhz", gpu.mem_clock_mhz, 1, 1);
  fields.Number("memory_share", gpu.memory_share, 1, kLeastShare, 1);
  fields.Number("compute_share", gpu.compute_share, 1, kLeastShare, 1);
  fields.Number("link_gb_s", gpu.link_bytes_per_s, kGiga);
  fields.Number("link_latency_us", gpu.link_latency_s, kMicro);
  if (gpu.idle_watts > gpu.power_limit_watts) {
    fields.faults().Add(fields.node(), "\"idle_watts\" is more than \"power_watts\"");
  }
}

void ReadModel(FieldReader& fields, ModelSpec& model) {
  fields.Require({"name", "served_as", "parameters_b", "active_b", "layers", "hidden", "heads",
                  "kv_heads", "head_dim", "max_model_len"});
  fields.Text("name", model.name);
  fields.Text("served_as", model.served_as);
  fields.Number("parameters_b", model.parameters, kGiga, 0.01);
  fields.Number("active_b", model.active_parameters, kGiga, 0.01);
  fields.Count("layers", model.layers, 1);
  fields.Count("hidden", model.hidden, 1);
  fields.Count("heads", model.heads, 1);
  fields.Count("kv_heads", model.kv_heads, 1);
  fields.Count("head_dim", model.head_dim, 1);
  fields.Number("kv_bytes_per_token_layer", model.kv_bytes_per_token_layer);
  fields.Count("experts", model.experts);
  fields.Count("experts_chosen", model.experts_chosen);
  fields.Number("expert_b", model.expert_parameters, kGiga);
  fields.Number("weight_bytes", model.weight_bytes, 1, 0.1, 8);
  fields.Number("kv_bytes", model.kv_bytes, 1, 0.1, 8);
  fields.Count("max_model_len", model.max_model_len, 1);
  fields.Count("default_tp", model.default_tp, 1);

  const auto never = [&](bool wrong, std::string_view message) {
    if (wrong) fields.faults().Add(fields.node(), message);
  };
  never(model.active_parameters > model.parameters, "\"active_b\" is more than \"parameters_b\"");
  never(model.kv_heads > model.heads, "\"kv_heads\" is more than \"heads\"");
  never(model.experts_chosen > model.experts, "\"experts_chosen\" is more than \"experts\"");
  never(model.experts > 0 && (model.experts_chosen == 0 || model.expert_parameters <= 0),
        "a model with \"experts\" needs \"experts_chosen\" and \"expert_b\"");
  never(model.experts * model.expert_parameters > model.parameters,
        "the experts are more than \"parameters_b\"");
  never(model.experts_chosen * model.expert_parameters > model.active_parameters,
        "the chosen experts are more than \"active_b\"");
}

}  // namespace firstword::simulate
