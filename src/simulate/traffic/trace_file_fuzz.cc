#include <cstddef>
#include <cstdint>
#include <string_view>

#include "simulate/traffic/trace_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)firstword::simulate::ParseTrace(text, "fuzz");
  return 0;
}
