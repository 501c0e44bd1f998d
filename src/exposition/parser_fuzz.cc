#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "exposition/page_dump.h"
#include "exposition/parser.h"

// The input is two pages, parted by the byte 0xff; its first byte picks mode and format.
// Reading the second page after the first must give what a fresh parser gives, and reading
// it once more must change nothing.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace firstword::exposition;
  if (size == 0) return 0;
  const Mode mode = (data[0] & 1) != 0 ? Mode::kStrict : Mode::kTolerant;
  const Format format = (data[0] & 2) != 0 ? Format::kOpenMetrics : Format::kText;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string_view first = input.substr(0, input.find('\xff'));
  const std::string_view second =
      first.size() < input.size() ? input.substr(first.size() + 1) : first;

  PageParser fresh({.mode = mode});
  const bool sound = fresh.Parse(second, format).has_value();
  const auto dump = [](const PageParser& parser) {
    return DumpPage(parser.page(), DumpLines::kYes);
  };
  for (const Fault& fault : fresh.page().faults()) {
    for (const char c : fault.message) {
      if (static_cast<unsigned char>(c) < 0x20) std::abort();
    }
  }
  PageParser parser({.mode = mode});
  (void)parser.Parse(first, format);
  for (int i = 0; i < 2; ++i) {
    if (parser.Parse(second, format).has_value() != sound) std::abort();
    if (sound && dump(parser) != dump(fresh)) std::abort();
  }
  return 0;
}
