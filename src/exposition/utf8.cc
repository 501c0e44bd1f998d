#include "exposition/utf8.h"

#include <cstdint>
#include <cstring>

namespace firstword::exposition {
namespace {

bool NextEightAreAscii(std::string_view text, std::size_t at) {
  if (at + 8 > text.size()) return false;
  std::uint64_t word;
  std::memcpy(&word, text.data() + at, 8);
  return (word & 0x8080808080808080u) == 0;
}

// Length of the sound character that starts with a byte past ASCII; 0 when it is none.
std::size_t CharacterLength(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char first = byte(0);
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xc0) != 0x80) return 0;
  }
  // Over-long forms, surrogates and code points past U+10FFFF.
  const unsigned char second = byte(1);
  const bool wrong = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
                     (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
  return wrong ? 0 : length;
}

}  // namespace

std::size_t FindInvalidUtf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (NextEightAreAscii(text, at)) {
      at += 8;
    } else if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
    } else {
      const std::size_t length = CharacterLength(text.substr(at));
      if (length == 0) return at;
      at += length;
    }
  }
  return std::string_view::npos;
}

}  // namespace firstword::exposition
