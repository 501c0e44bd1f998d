#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "net/url.h"

// What parses must print to something that parses to the same, and never carry a byte
// that could end a request line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace firstword::net;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto url = ParseUrl(text);
  if (!url) return 0;
  for (const char c : url->target) {
    if (static_cast<unsigned char>(c) <= 0x20) std::abort();
  }
  const auto again = ParseUrl(url->ToString());
  if (!again || again->ToString() != url->ToString()) std::abort();
  (void)ResolveReference(*url, text);
  return 0;
}
