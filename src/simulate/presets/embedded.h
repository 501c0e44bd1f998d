#pragma once

#include <span>

#include "yaml/embedded.h"

namespace firstword::simulate {

// The files of presets/.
[[nodiscard]] std::span<const yaml::EmbeddedFile> EmbeddedPresets();

}  // namespace firstword::simulate
