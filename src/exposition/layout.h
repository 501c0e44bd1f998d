#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace firstword::exposition {

// The remembered text of one target's last page, cut at its numbers. The next page
// of the same layout then costs one compare of the text between two numbers and one
// number a line; a number whose text did not change is not even parsed.
class Layout {
 public:
  // Forgets everything; the next Reread() fails until texts and numbers are added.
  void Reset(std::string_view body);
  // The number at body[begin, end) belongs to series `index`, or to none of the page
  // (kDropped: a duplicate). Must be called in page order.
  void AddNumber(std::size_t begin, std::size_t end, std::uint32_t index);
  // From now on the layout may be used. Without it Reread() always says no: pages with
  // timestamps or exemplars change in more places than the values.
  void Seal() { sealed_ = true; }

  // True when `body` differs from the remembered page in its numbers only, all of them
  // sound; `values` (as many as there are series) then holds the new ones, given the
  // `old` ones. On false, `values` is unspecified and the layout must be Reset().
  bool Reread(std::string_view body, const std::vector<double>& old, std::vector<double>* values);

  static constexpr std::uint32_t kDropped = 0xffffffff;

 private:
  // A number's text, long enough for any double in the shortest form.
  struct Number {
    std::uint32_t text_begin;  // the text before it is text_[text_begin, text_end)
    std::uint32_t text_end;
    std::uint32_t index;
    std::uint8_t length;  // 0: longer than `text`, always parse
    char text[27];
  };

  bool sealed_ = false;
  std::string text_;
  std::vector<Number> numbers_;
  std::size_t last_end_ = 0;
};

}  // namespace firstword::exposition
