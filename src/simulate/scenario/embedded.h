#pragma once

#include <span>

#include "yaml/embedded.h"

namespace firstword::simulate {

// The files of scenarios/.
[[nodiscard]] std::span<const yaml::EmbeddedFile> EmbeddedScenarios();

}  // namespace firstword::simulate
