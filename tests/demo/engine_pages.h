#pragma once

#include <string>

#include "engine_model.h"

namespace firstword::demo {

// Models that count in the buckets of vLLM 0.30 and of SGLang 0.5.
[[nodiscard]] EngineModel VllmEngine();
[[nodiscard]] EngineModel SglangEngine();

// What a model says, as that engine's /metrics page spells it.
[[nodiscard]] std::string VllmPage(const EngineModel& m, const std::string& model);
// Two data-parallel ranks that share the load.
[[nodiscard]] std::string SglangPage(const EngineModel& m, const std::string& model);
[[nodiscard]] std::string TritonPage(const EngineModel& m);
// dcgm-exporter's page of the GPU that the engine keeps busy.
[[nodiscard]] std::string GpuPage(const EngineModel& m);

}  // namespace firstword::demo
