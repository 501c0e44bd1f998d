#pragma once

#include "simulate/presets/preset_fields.h"
#include "simulate/presets/presets.h"
#include "simulate/scenario/scenario.h"

namespace firstword::simulate {

// One of "nodes", its configuration filled in from the presets and found to fit its GPUs.
[[nodiscard]] NodeSpec ReadNode(const yaml::Node& at, const Presets& presets, yaml::Faults& faults);

// One of "traffic". `otherwise_to` is where it goes when it does not say.
[[nodiscard]] TrafficSpec ReadTraffic(const yaml::Node& at, std::string_view otherwise_to,
                                      const Presets& presets, yaml::Faults& faults);

}  // namespace firstword::simulate
