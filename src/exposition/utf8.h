#pragma once

#include <cstddef>
#include <string_view>

namespace firstword::exposition {

// Offset of the first byte that is not valid UTF-8; npos when all are.
[[nodiscard]] std::size_t FindInvalidUtf8(std::string_view text);

}  // namespace firstword::exposition
