#pragma once

#include <span>
#include <string>
#include <string_view>

namespace firstword {

// "did you mean \"X\"?" for the candidate closest to a mistyped word, else "".
[[nodiscard]] std::string DidYouMean(std::string_view word,
                                     std::span<const std::string_view> candidates);

}  // namespace firstword
