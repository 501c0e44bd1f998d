#include "exposition/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace firstword::exposition {
namespace {

TEST(FindInvalidUtf8Test, AcceptsSoundText) {
  for (const std::string_view text :
       {"", "ascii only, longer than a word", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80",
        "\xed\x9f\xbf", "\xee\x80\x80", "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(FindInvalidUtf8(text), std::string_view::npos) << text;
  }
  EXPECT_EQ(FindInvalidUtf8(std::string_view("a\0b", 3)), std::string_view::npos);
}

TEST(FindInvalidUtf8Test, FindsTheFirstBadByteWhereverItStands) {
  for (const std::string_view bad :
       {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc3", "\xc3 ", "\xe0\x9f\xbf", "\xe2\x82",
        "\xe2\x82 ", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf0\x90\x80", "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80", "\xff"}) {
    for (std::size_t before = 0; before < 20; ++before) {
      const std::string text = std::string(before, 'a') + std::string(bad) + " \xc3\xa4";
      EXPECT_EQ(FindInvalidUtf8(text), before) << bad;
    }
  }
}

}  // namespace
}  // namespace firstword::exposition
