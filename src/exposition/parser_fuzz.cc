#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "exposition/page_dump.h"
#include "exposition/parser.h"

// The input is two pages, parted by a zero byte; its first byte picks mode and format.
// Reading the second page after the first must give what a fresh parser gives.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace firstword::exposition;
  if (size == 0) return 0;
  const Mode mode = (data[0] & 1) != 0 ? Mode::kStrict : Mode::kTolerant;
  const Format format = (data[0] & 2) != 0 ? Format::kOpenMetrics : Format::kText;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string_view first = input.substr(0, input.find('\0'));
  const std::string_view second =
      first.size() < input.size() ? input.substr(first.size() + 1) : first;

  PageParser parser({.mode = mode});
  (void)parser.Parse(first, format);
  const bool again = parser.Parse(second, format).has_value();
  PageParser fresh({.mode = mode});
  if (fresh.Parse(second, format).has_value() != again) std::abort();
  if (again && DumpPage(parser.page()) != DumpPage(fresh.page())) std::abort();
  return 0;
}
