#include "cli/text/text.h"

#include <algorithm>

namespace firstword::cli {
namespace {

constexpr char32_t kReplacement = 0xfffd;

// Length by the first byte; 0 for a byte that cannot start a sequence.
std::size_t SequenceLength(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  if (first >= 0xf0 && first < 0xf5) return 4;
  return 0;
}

bool IsOverlongOrSurrogate(char32_t value, std::size_t length) {
  return (length == 3 && value < 0x800) || (length == 4 && value < 0x10000) || value > 0x10ffff ||
         (value >= 0xd800 && value < 0xe000);
}

// The first `width` columns of the text, or the last.
std::string Head(std::string_view text, std::size_t width) {
  std::string out;
  while (!text.empty()) {
    const CodePoint next = DecodeUtf8(text);
    const std::size_t columns = DisplayWidth(next.value);
    if (columns > width) break;
    width -= columns;
    out.append(text.substr(0, next.bytes));
    text.remove_prefix(next.bytes);
  }
  return out;
}

std::string Tail(std::string_view text, std::size_t width) {
  while (DisplayWidth(text) > width) text.remove_prefix(DecodeUtf8(text).bytes);
  return std::string(text);
}

}  // namespace

CodePoint DecodeUtf8(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = SequenceLength(first);
  if (length == 0 || length > text.size()) return {kReplacement, 1};
  if (length == 1) return {first, 1};
  char32_t value = first & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0) != 0x80) return {kReplacement, 1};
    value = (value << 6) | (byte & 0x3fu);
  }
  if (IsOverlongOrSurrogate(value, length)) return {kReplacement, 1};
  return {value, length};
}

void AppendUtf8(std::string& out, char32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xc0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xe0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (c & 0x3f));
  } else {
    out += static_cast<char>(0xf0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3f));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (c & 0x3f));
  }
}

std::size_t DisplayWidth(char32_t c) {
  const auto within = [c](char32_t from, char32_t to) { return c >= from && c <= to; };
  if (c < 0x300) return 1;
  if (within(0x300, 0x36f) || within(0x200b, 0x200f) || within(0xfe00, 0xfe0f)) return 0;
  const bool wide = within(0x1100, 0x115f) || within(0x2e80, 0xa4cf) || within(0xac00, 0xd7a3) ||
                    within(0xf900, 0xfaff) || within(0xfe30, 0xfe6f) || within(0xff00, 0xff60) ||
                    within(0xffe0, 0xffe6) || within(0x1f300, 0x1faff) || within(0x20000, 0x3fffd);
  return wide ? 2 : 1;
}

std::size_t DisplayWidth(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const CodePoint next = DecodeUtf8(text);
    width += DisplayWidth(next.value);
    text.remove_prefix(next.bytes);
  }
  return width;
}

std::string PadRight(std::string_view text, std::size_t width) {
  std::string out(text);
  const std::size_t have = DisplayWidth(text);
  if (have < width) out.append(width - have, ' ');
  return out;
}

std::string PadLeft(std::string_view text, std::size_t width) {
  const std::size_t have = DisplayWidth(text);
  std::string out(have < width ? width - have : 0, ' ');
  out.append(text);
  return out;
}

std::string Shorten(std::string_view text, std::size_t width) {
  if (DisplayWidth(text) <= width) return std::string(text);
  if (width == 0) return {};
  const std::size_t tail = (width - 1) / 2;
  return Head(text, width - 1 - tail) + "…" + Tail(text, tail);
}

std::string Printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const CodePoint next = DecodeUtf8(text);
    const char32_t c = next.value;
    if (c == '\t' || c == '\n') {
      out += ' ';
    } else if (c < 0x20 || (c >= 0x7f && c < 0xa0)) {
      out += '?';
    } else {
      AppendUtf8(out, c);
    }
    text.remove_prefix(next.bytes);
  }
  return out;
}

std::vector<std::string> Wrap(std::string_view text, std::size_t width) {
  width = std::max<std::size_t>(width, 1);
  std::vector<std::string> lines;
  std::string line;
  const auto flush = [&] {
    lines.push_back(std::move(line));
    line.clear();
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    std::string word(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    const std::size_t needed = DisplayWidth(word) + (line.empty() ? 0 : 1);
    if (!line.empty() && DisplayWidth(line) + needed > width) flush();
    while (DisplayWidth(word) > width) {
      std::string head = Head(word, width);
      // A wide character in a column of one: take it whole rather than loop.
      if (head.empty()) head = word.substr(0, DecodeUtf8(word).bytes);
      word.erase(0, head.size());
      lines.push_back(std::move(head));
    }
    if (!line.empty()) line += ' ';
    line += word;
  }
  if (!line.empty() || lines.empty()) flush();
  return lines;
}

std::string Plural(std::size_t count, std::string_view noun) {
  std::string out = std::to_string(count) + " " + std::string(noun);
  if (count != 1) out += 's';
  return out;
}

}  // namespace firstword::cli
