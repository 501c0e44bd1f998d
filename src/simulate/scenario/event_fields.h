#pragma once

#include "simulate/presets/preset_fields.h"
#include "simulate/scenario/scenario.h"

namespace firstword::simulate {

// What an event changes: of a node and its GPUs, or of a traffic. At least one thing.
void ReadEventFields(FieldReader& fields, bool of_node, EventSpec& event);

}  // namespace firstword::simulate
