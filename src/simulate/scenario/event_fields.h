#pragma once

#include "simulate/presets/preset_fields.h"
#include "simulate/scenario/scenario.h"

namespace firstword::simulate {

// What an event changes: of `node` and its GPUs, or, where that is null, of a traffic. False
// when it changes nothing.
[[nodiscard]] bool ReadEventFields(FieldReader& fields, const NodeSpec* node, EventSpec& event);

}  // namespace firstword::simulate
