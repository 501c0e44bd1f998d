#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>

#include "base/result.h"

namespace firstword {

// "500ms", "2s", "1.5s", "1m30s", "2h"; a bare number means seconds. Not negative.
[[nodiscard]] Result<std::chrono::milliseconds> ParseDuration(std::string_view text);

// Bytes: "64MiB", "10MB", "512k" (k, M, G count by 1024 as KiB, MiB, GiB do; kB, MB, GB
// by 1000); a bare number means bytes. Above zero.
[[nodiscard]] Result<std::size_t> ParseByteSize(std::string_view text);

}  // namespace firstword
