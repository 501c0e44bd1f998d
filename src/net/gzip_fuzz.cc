#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "net/gzip.h"

// Whole or in two pieces, the answer is the same and stays under the limit.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace firstword::net;
  if (size == 0) return 0;
  constexpr std::size_t kLimit = 1 << 16;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto whole = Gunzip(input, kLimit);
  if (whole && whole->size() > kLimit) std::abort();
  const std::size_t cut = input.empty() ? 0 : data[0] % input.size();
  Inflater inflater(kLimit);
  std::string out;
  const bool sound = inflater.Feed(input.substr(0, cut), &out) &&
                     inflater.Feed(input.substr(cut), &out) && inflater.Finish();
  if (sound != whole.has_value() || (sound && out != *whole)) std::abort();
  return 0;
}
