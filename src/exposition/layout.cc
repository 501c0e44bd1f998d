#include "exposition/layout.h"

#include <cstring>

#include "exposition/number.h"

namespace firstword::exposition {

void Layout::Add(std::string_view number, Kind kind, std::uint32_t index) {
  const auto begin = static_cast<std::size_t>(number.data() - page_.data());
  Slot& slot = slots_.emplace_back(Slot{static_cast<std::uint32_t>(last_end_),
                                        static_cast<std::uint32_t>(begin),
                                        index,
                                        kind,
                                        0,
                                        {}});
  if (number.size() <= sizeof(slot.number)) {
    slot.length = static_cast<std::uint8_t>(number.size());
    std::memcpy(slot.number, number.data(), number.size());
  }
  last_end_ = begin + number.size();
}

bool Layout::Reread(std::string_view body, Format format, Numbers* numbers) {
  if (!sealed_ || format != format_) {
    return false;
  }
  const char* at = body.data();
  const char* const end = at + body.size();
  for (Slot& slot : slots_) {
    const std::size_t before = slot.text_end - slot.text_begin;
    if (static_cast<std::size_t>(end - at) <= before ||
        std::memcmp(at, page_.data() + slot.text_begin, before) != 0) {
      return false;
    }
    at += before;
    // Most numbers of a page are those of the last one. A longer number may begin alike.
    const std::size_t length = slot.length;
    if (length > 0 && static_cast<std::size_t>(end - at) > length && at[length] <= ' ' &&
        std::memcmp(at, slot.number, length) == 0) {
      at += length;
      continue;
    }
    const char* stop = at;
    while (stop != end && *stop > ' ') ++stop;
    if (!ReadNumber({at, stop}, &slot, numbers)) return false;
    at = stop;
  }
  const std::string_view after = page_.substr(last_end_);
  return std::string_view(at, end) == after;
}

bool Layout::ReadNumber(std::string_view token, Slot* slot, Numbers* numbers) const {
  double value = 0;
  std::int64_t ms = 0;
  if (slot->kind == Kind::kValue ? !ParseNumber(token, &value)
                                 : !ParseTimestamp(token, format_, &ms)) {
    return false;
  }
  if (slot->index != kDropped) {
    if (slot->kind == Kind::kValue) {
      numbers->values[slot->index] = value;
    } else {
      numbers->timestamps[slot->index] = ms;
    }
  }
  slot->length = token.size() <= sizeof(slot->number) ? static_cast<std::uint8_t>(token.size()) : 0;
  std::memcpy(slot->number, token.data(), slot->length);
  return true;
}

}  // namespace firstword::exposition
