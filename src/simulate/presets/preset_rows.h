#pragma once

#include "simulate/engine/hardware.h"
#include "simulate/presets/preset_fields.h"

namespace firstword::simulate {

// One row of presets/gpus.yaml and of presets/models.yaml, with what cannot be as a fault:
// what is missing, shares above 1, parts that are more than the whole.
void ReadGpu(FieldReader& fields, GpuSpec& gpu);
void ReadModel(FieldReader& fields, ModelSpec& model);

}  // namespace firstword::simulate
