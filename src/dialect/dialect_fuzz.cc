#include <cstddef>
#include <cstdint>
#include <string_view>

#include "dialect/load_dialect.h"

// Any bytes as a signals file and as a dialect file. Seeds: testdata/dialect_fuzz_corpus,
// testdata and dialects.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using firstword::dialect::Catalog;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)Catalog::Parse(text, "fuzz.yaml");
  static const Catalog kCatalog =
      Catalog::Parse(
          "signals:\n"
          "  llm:kv_cache_usage_ratio: {type: gauge, unit: ratio, help: H}\n"
          "  llm:ttft_seconds: {type: histogram, unit: s, help: H}\n"
          "  llm:requests_waiting: {type: gauge, unit: requests, help: H}\n"
          "  llm:sleeping: {type: gauge, unit: bool, help: H}\n",
          "signals.yaml")
          .value();
  (void)firstword::dialect::LoadDialect(text, "fuzz.yaml", kCatalog);
  return 0;
}
