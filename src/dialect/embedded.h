#pragma once

#include <span>

#include "yaml/embedded.h"

namespace firstword::dialect {

using yaml::EmbeddedFile;

// The files of dialects/.
[[nodiscard]] std::span<const EmbeddedFile> EmbeddedDialects();

}  // namespace firstword::dialect
