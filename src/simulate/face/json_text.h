#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace firstword::simulate {

// `text` in quotes. What is no UTF-8 is shown as question marks.
void AppendJsonString(std::string& out, std::string_view text);
[[nodiscard]] std::string JsonString(std::string_view text);
void AppendNumber(std::string& out, std::uint64_t number);

// The start of a text that a message repeats.
[[nodiscard]] std::string_view Shown(std::string_view text);

struct JsonFault {
  std::size_t offset = 0;  // bytes from the start
  std::string_view what;   // "expected ..."
};

// Where `text` stops being one JSON value; nothing when it is one. Does not look at what
// escapes and numbers mean.
[[nodiscard]] std::optional<JsonFault> FindJsonFault(std::string_view text);

}  // namespace firstword::simulate
