#pragma once

#include <span>
#include <string_view>

namespace firstword::dialect {

// The files of dialects/ as they were when the program was built.
struct EmbeddedFile {
  std::string_view name;  // "vllm.yaml"
  std::string_view content;
};
[[nodiscard]] std::span<const EmbeddedFile> EmbeddedDialects();

}  // namespace firstword::dialect
