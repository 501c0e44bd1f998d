#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace firstword::exposition {

// Classes of bytes, a bit each.
enum : std::uint8_t {
  kNameStart = 1,
  kNameMore = 2,
  kColon = 4,
  kBlank = 8,         // space and tab
  kTokenEnd = 16,     // blanks and the bytes of line ends
  kQuotedEvent = 32,  // inside quotes: what ends them or needs a closer look
};

inline constexpr std::array<std::uint8_t, 256> kByteClasses = [] {
  std::array<std::uint8_t, 256> table{};
  for (std::size_t c = 'a'; c <= 'z'; ++c) table[c] = kNameStart | kNameMore;
  for (std::size_t c = 'A'; c <= 'Z'; ++c) table[c] = kNameStart | kNameMore;
  for (std::size_t c = '0'; c <= '9'; ++c) table[c] = kNameMore;
  table['_'] = kNameStart | kNameMore;
  table[':'] = kColon;
  table[' '] = table['\t'] = kBlank | kTokenEnd;
  table['\r'] = kTokenEnd;
  table['\n'] = kTokenEnd | kQuotedEvent;
  table['"'] = table['\\'] = kQuotedEvent;
  for (std::size_t c = 0x80; c <= 0xff; ++c) table[c] = kQuotedEvent;
  return table;
}();

inline bool Is(char c, unsigned classes) {
  return (kByteClasses[static_cast<unsigned char>(c)] & classes) != 0;
}

}  // namespace firstword::exposition
