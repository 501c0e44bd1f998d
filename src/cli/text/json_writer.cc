#include "cli/text/json_writer.h"

#include <charconv>
#include <cmath>
#include <utility>

#include "cli/text/text.h"

namespace firstword::cli {
namespace {

void AppendEscaped(std::string& out, std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text.front());
    if (byte >= 0x80) {
      const CodePoint next = DecodeUtf8(text);
      // DecodeUtf8 reads one bad byte as U+FFFD.
      AppendUtf8(out, next.value);
      text.remove_prefix(next.bytes);
      continue;
    }
    text.remove_prefix(1);
    switch (byte) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (byte < 0x20 || byte == 0x7f) {
          out += "\\u00";
          out += kHex[byte >> 4];
          out += kHex[byte & 15];
        } else {
          out += static_cast<char>(byte);
        }
    }
  }
}

}  // namespace

void JsonWriter::NewLine() {
  if (layout_ == Layout::kCompact) return;
  out_ += '\n';
  out_.append(2 * depth_, ' ');
}

void JsonWriter::BeforeValue() {
  if (std::exchange(after_key_, false)) return;
  if (depth_ == 0) return;
  if (!std::exchange(first_, false)) out_ += ',';
  NewLine();
}

void JsonWriter::Begin(char bracket) {
  BeforeValue();
  out_ += bracket;
  ++depth_;
  first_ = true;
}

void JsonWriter::End(char bracket) {
  --depth_;
  if (!first_) NewLine();
  out_ += bracket;
  first_ = false;
}

void JsonWriter::Key(std::string_view key) {
  BeforeValue();
  out_ += '"';
  AppendEscaped(out_, key);
  out_ += layout_ == Layout::kCompact ? "\":" : "\": ";
  after_key_ = true;
}

void JsonWriter::String(std::string_view value) {
  BeforeValue();
  out_ += '"';
  AppendEscaped(out_, value);
  out_ += '"';
}

void JsonWriter::Number(double value) {
  if (!std::isfinite(value)) return Null();
  BeforeValue();
  char buffer[32];
  const auto result = std::to_chars(buffer, buffer + sizeof(buffer), value);
  out_.append(buffer, result.ptr);
}

void JsonWriter::Integer(std::size_t value) {
  BeforeValue();
  out_ += std::to_string(value);
}

void JsonWriter::Bool(bool value) {
  BeforeValue();
  out_ += value ? "true" : "false";
}

void JsonWriter::Null() {
  BeforeValue();
  out_ += "null";
}

void JsonWriter::Field(std::string_view key, std::string_view value) {
  Key(key);
  String(value);
}

void JsonWriter::Field(std::string_view key, double value) {
  Key(key);
  Number(value);
}

void JsonWriter::Field(std::string_view key, std::size_t value) {
  Key(key);
  Integer(value);
}

void JsonWriter::Field(std::string_view key, bool value) {
  Key(key);
  Bool(value);
}

void JsonWriter::Field(std::string_view key, const std::optional<double>& value) {
  Key(key);
  if (value) {
    Number(*value);
  } else {
    Null();
  }
}

std::string JsonWriter::Take() && { return std::move(out_); }

}  // namespace firstword::cli
