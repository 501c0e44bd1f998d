#include <cstddef>
#include <cstdint>
#include <string_view>

#include "dialect/exports/page_spec.h"

// Any bytes as a dialect file with exports, resolved at the first version and the last.
// Seeds: testdata/exports_fuzz_corpus and dialects.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using firstword::dialect::Export;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto exports = firstword::dialect::LoadExports(text, "fuzz.yaml");
  if (!exports) return 0;
  for (const Export& page : *exports) {
    (void)Resolve(page, page.versions.front(), {.max_model_len = 4096});
    (void)Resolve(page, page.versions.back(), {.max_model_len = 4096});
  }
  return 0;
}
