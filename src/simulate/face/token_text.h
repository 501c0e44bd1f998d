#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace firstword::simulate {

// The text of token `index` of an answer: plausible words, always the same for one `seed`.
// Needs no escape in JSON.
[[nodiscard]] std::string_view TokenText(std::uint64_t seed, std::uint32_t index);

// Tokens [begin, end).
void AppendTokenTexts(std::string& out, std::uint64_t seed, std::uint32_t begin, std::uint32_t end);

}  // namespace firstword::simulate
