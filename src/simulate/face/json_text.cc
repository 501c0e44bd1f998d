#include "simulate/face/json_text.h"

#include <simdjson.h>

#include <charconv>

namespace firstword::simulate {
namespace {

constexpr std::size_t kShownBytes = 120;

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

void AppendJsonString(std::string& out, std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const bool utf8 = simdjson::validate_utf8(text.data(), text.size());
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20) {
      out += "\\u00";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      out += byte >= 0x80 && !utf8 ? '?' : c;
    }
  }
  out += '"';
}

std::string JsonString(std::string_view text) {
  std::string out;
  AppendJsonString(out, text);
  return out;
}

void AppendNumber(std::string& out, std::uint64_t number) {
  char digits[20];
  out.append(digits, std::to_chars(digits, digits + sizeof(digits), number).ptr);
}

std::string_view Shown(std::string_view text) {
  if (text.size() <= kShownBytes) return text;
  std::size_t end = kShownBytes;
  while (end > 0 && IsContinuation(text[end])) --end;
  return text.substr(0, end);
}

}  // namespace firstword::simulate
