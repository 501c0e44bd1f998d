#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "simulate/engine/config.h"
#include "simulate/traffic/workload.h"
#include "yaml/embedded.h"

namespace firstword::simulate {

// The GPUs, models, engines and workloads that scenarios name: presets/*.yaml, built into
// the program. Immutable after load.
class Presets {
 public:
  // A test loads them all, so a failure here is a fault of the build.
  [[nodiscard]] static Result<Presets> LoadBuiltin();
  // From files of the same names: gpus.yaml, models.yaml, workloads.yaml, engines.yaml; what is
  // not there has no rows. Fails with kParse and "file:line:column: ".
  [[nodiscard]] static Result<Presets> Load(std::span<const yaml::EmbeddedFile> files);

  // Fail with kInvalid, the names that exist and the one that was probably meant.
  [[nodiscard]] Result<GpuSpec> Gpu(std::string_view name) const;
  [[nodiscard]] Result<ModelSpec> Model(std::string_view name) const;
  [[nodiscard]] Result<WorkloadSpec> Workload(std::string_view name) const;
  // How an engine of an export's name ("vllm", "sglang", "triton-trtllm") behaves by
  // default at a version: mixing, memory policy, limits, block size, host costs. GPU and
  // model are left to the caller.
  [[nodiscard]] Result<EngineConfig> Engine(std::string_view engine,
                                            std::string_view version) const;

  [[nodiscard]] std::vector<std::string_view> gpu_names() const;
  [[nodiscard]] std::vector<std::string_view> model_names() const;
  [[nodiscard]] std::vector<std::string_view> workload_names() const;
  [[nodiscard]] const std::vector<WorkloadSpec>& workloads() const { return workloads_; }

 private:
  struct EngineRow {
    std::string engine;
    std::string since;
    EngineConfig config;
  };
  std::vector<GpuSpec> gpus_;
  std::vector<ModelSpec> models_;
  std::vector<WorkloadSpec> workloads_;
  std::vector<EngineRow> engines_;
};

}  // namespace firstword::simulate
