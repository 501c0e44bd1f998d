#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace firstword::cli {

// Builds one JSON document. The caller keeps begins and ends in balance. Numbers are
// the shortest that read back the same; what is not finite becomes null, because JSON
// has no word for it. Bytes that are not UTF-8 become U+FFFD.
class JsonWriter {
 public:
  // kLines: two blanks a level, for people; kCompact: everything on one line.
  enum class Layout { kLines, kCompact };
  explicit JsonWriter(Layout layout) : layout_(layout) {}

  void BeginObject() { Begin('{'); }
  void EndObject() { End('}'); }
  void BeginArray() { Begin('['); }
  void EndArray() { End(']'); }
  void Key(std::string_view key);

  void String(std::string_view value);
  void Number(double value);
  void Integer(std::size_t value);
  void Bool(bool value);
  void Null();

  // A key and its value.
  void Field(std::string_view key, std::string_view value);
  void Field(std::string_view key, const char* value) { Field(key, std::string_view(value)); }
  void Field(std::string_view key, double value);
  void Field(std::string_view key, std::size_t value);
  void Field(std::string_view key, bool value);
  // null when there is none.
  void Field(std::string_view key, const std::optional<double>& value);

  // The document.
  [[nodiscard]] std::string Take() &&;

 private:
  void Begin(char bracket);
  void End(char bracket);
  void BeforeValue();
  void NewLine();

  Layout layout_;
  std::string out_;
  std::size_t depth_ = 0;
  bool first_ = true;  // nothing yet at this level
  bool after_key_ = false;
};

}  // namespace firstword::cli
