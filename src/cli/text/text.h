#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace firstword::cli {

struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 0;  // how many it took
};
// The first code point of a text that is not empty; a byte that is not UTF-8 is U+FFFD.
[[nodiscard]] CodePoint DecodeUtf8(std::string_view text);
void AppendUtf8(std::string& out, char32_t code_point);

// Columns on a terminal. Everything we print is one column a code point; names that
// come from outside may be wide (CJK), which counts two.
[[nodiscard]] std::size_t DisplayWidth(std::string_view text);
[[nodiscard]] std::size_t DisplayWidth(char32_t code_point);

[[nodiscard]] std::string PadRight(std::string_view text, std::size_t width);
[[nodiscard]] std::string PadLeft(std::string_view text, std::size_t width);
// Shortened in the middle with "…" to fit: both ends of a name tell it from others.
[[nodiscard]] std::string Shorten(std::string_view text, std::size_t width);
// Outside text made safe for a terminal: control characters become "?", tabs blanks.
[[nodiscard]] std::string Printable(std::string_view text);

// Breaks at blanks into lines of at most `width` columns; a longer word is cut.
[[nodiscard]] std::vector<std::string> Wrap(std::string_view text, std::size_t width);

// "1 replica", "3 replicas".
[[nodiscard]] std::string Plural(std::size_t count, std::string_view noun);

}  // namespace firstword::cli
