#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "net/url.h"

namespace {

// No byte that could end a request line or a header.
void CheckBytes(const firstword::net::Url& url) {
  for (const char c : url.host + url.target) {
    if (static_cast<unsigned char>(c) <= 0x20 || static_cast<unsigned char>(c) >= 0x7f)
      std::abort();
  }
}

}  // namespace

// What parses must print to something that parses to the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace firstword::net;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto url = ParseUrl(text);
  if (!url) return 0;
  CheckBytes(*url);
  const auto again = ParseUrl(url->ToString());
  if (!again || again->ToString() != url->ToString()) std::abort();
  // The same text as where another server redirects to.
  const Url base{.scheme = "http", .host = "h", .port = 80, .socket_path = {}};
  if (const auto next = ResolveReference(base, text)) {
    CheckBytes(*next);
    if (next->scheme == "unix") std::abort();
  }
  return 0;
}
