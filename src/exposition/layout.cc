#include "exposition/layout.h"

#include <cstring>

#include "exposition/number.h"

namespace firstword::exposition {

void Layout::Reset(std::string_view body) {
  sealed_ = false;
  text_.assign(body);
  numbers_.clear();
  last_end_ = 0;
}

void Layout::AddNumber(std::size_t begin, std::size_t end, std::uint32_t index) {
  Number number{
      static_cast<std::uint32_t>(last_end_), static_cast<std::uint32_t>(begin), index, 0, {}};
  if (end - begin <= sizeof(number.text)) {
    number.length = static_cast<std::uint8_t>(end - begin);
    std::memcpy(number.text, text_.data() + begin, end - begin);
  }
  numbers_.push_back(number);
  last_end_ = end;
}

bool Layout::Reread(std::string_view body, const std::vector<double>& old,
                    std::vector<double>* values) {
  if (!sealed_) return false;
  const char* at = body.data();
  const char* const end = at + body.size();
  for (Number& number : numbers_) {
    const std::size_t before = number.text_end - number.text_begin;
    if (static_cast<std::size_t>(end - at) <= before ||
        std::memcmp(at, text_.data() + number.text_begin, before) != 0) {
      return false;
    }
    at += before;
    const std::size_t length = number.length;
    if (length > 0 && static_cast<std::size_t>(end - at) > length && at[length] <= ' ' &&
        std::memcmp(at, number.text, length) == 0) {
      at += length;
      if (number.index != kDropped) (*values)[number.index] = old[number.index];
      continue;
    }
    const char* stop = at;
    while (stop != end && *stop > ' ') ++stop;
    double value = 0;
    const auto size = static_cast<std::size_t>(stop - at);
    if (!ParseNumber({at, size}, &value)) return false;
    number.length = size <= sizeof(number.text) ? static_cast<std::uint8_t>(size) : 0;
    std::memcpy(number.text, at, number.length);
    if (number.index != kDropped) (*values)[number.index] = value;
    at = stop;
  }
  const std::size_t after = text_.size() - last_end_;
  return static_cast<std::size_t>(end - at) == after &&
         std::memcmp(at, text_.data() + last_end_, after) == 0;
}

}  // namespace firstword::exposition
