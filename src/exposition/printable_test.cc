#include "exposition/printable.h"

#include <gtest/gtest.h>

namespace firstword::exposition {
namespace {

TEST(PrintableTest, IsOneLineOfSoundText) {
  auto f = [](std::string_view text, std::size_t max, std::string_view want) {
    EXPECT_EQ(Printable(text, max), want);
  };
  f("", 10, "");
  f("plain text", 10, "plain text");
  f("plain text", 5, "plain...");
  f("a\nb\x1b[0m\x7f", 20, "a\\x0ab\\x1b[0m\\x7f");
  f(std::string_view("a\0b", 3), 20, "a\\x00b");
  f("gr\xc3\xb6\xc3\x9f"
    "er",
    20,
    "gr\xc3\xb6\xc3\x9f"
    "er");
  f("gr\xc3\xb6\xc3\x9f", 3, "gr...");
  f("\xc3\xb6\xff", 20, "\\xc3\\xb6\\xff");
  f("\xff\xff\xff", 2, "\\xff\\xff...");
  f("\x80\x80\x80", 2, "...");
}

}  // namespace
}  // namespace firstword::exposition
