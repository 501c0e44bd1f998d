#include "exposition/printable.h"

#include <fmt/format.h>

#include <iterator>

#include "exposition/utf8.h"

namespace firstword::exposition {

std::string Printable(std::string_view text, std::size_t max) {
  std::string_view shown = text.substr(0, max);
  // Not through the middle of a character.
  while (shown.size() < text.size() && !shown.empty() && (text[shown.size()] & 0xc0) == 0x80) {
    shown.remove_suffix(1);
  }
  const bool utf8 = FindInvalidUtf8(shown) == std::string_view::npos;
  std::string out;
  for (const char c : shown) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || (byte >= 0x80 && !utf8)) {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  if (shown.size() < text.size()) out += "...";
  return out;
}

}  // namespace firstword::exposition
