#pragma once

#include <string_view>

namespace firstword::yaml {

// A data file as it was when the program was built.
struct EmbeddedFile {
  std::string_view name;  // "vllm.yaml"
  std::string_view content;
};

}  // namespace firstword::yaml
