#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "exposition/page.h"

namespace firstword::exposition {

// The numbers of a page, in the order of its series.
struct Numbers {
  std::vector<double> values;
  std::vector<std::int64_t> timestamps;  // empty when no sample has one
};

// The remembered text of one target's last page, cut at its numbers. The next page of the
// same layout then costs one compare of the text between two numbers and one number a
// sample; a number whose text did not change is not even parsed.
class Layout {
 public:
  enum class Kind : std::uint8_t { kValue, kTimestamp };
  static constexpr std::uint32_t kDropped = 0xffffffff;

  Layout() = default;
  // `page` must outlive the layout and be shorter than 4 GiB.
  Layout(std::string_view page, Format format) : page_(page), format_(format) {}

  // `number`, a part of the page, belongs to series `index`, or to none that is kept
  // (kDropped: a duplicate). Must be called in page order.
  void Add(std::string_view number, Kind kind, std::uint32_t index);
  // Says that nothing but the numbers varies from page to page (exemplars do). Without it
  // Reread() always answers false.
  void Seal() { sealed_ = true; }

  // True when `body` differs from the remembered page in its numbers only, all of them
  // sound; `numbers`, which must hold those of the last page, then are the new ones. On
  // false `numbers` is unspecified and the layout of no more use.
  [[nodiscard]] bool Reread(std::string_view body, Format format, Numbers* numbers);

 private:
  struct Slot {
    std::uint32_t text_begin;  // the text before the number is [text_begin, text_end)
    std::uint32_t text_end;
    std::uint32_t index;
    Kind kind;
    std::uint8_t length;  // of `number`; 0: it did not fit, always parse
    char number[26];      // long enough for any double in its shortest form
  };
  bool ReadNumber(std::string_view token, Slot* slot, Numbers* numbers) const;

  std::string_view page_;
  Format format_ = Format::kText;
  bool sealed_ = false;
  std::vector<Slot> slots_;
  std::size_t last_end_ = 0;
};

}  // namespace firstword::exposition
