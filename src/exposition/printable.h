#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace firstword::exposition {

// `text`, which may come from anywhere, on one line for people: control characters and
// bytes that are not UTF-8 as \x0a, cut behind `max` bytes of `text` with "..." after it.
[[nodiscard]] std::string Printable(std::string_view text, std::size_t max);

}  // namespace firstword::exposition
