#include "simulate/face/json_text.h"

#include <gtest/gtest.h>

#include <string>

namespace firstword::simulate {
namespace {

TEST(JsonTextTest, EscapesStrings) {
  EXPECT_EQ(JsonString("a\"b\\c\n\x01/é"), R"("a\"b\\c\u000a\u0001/é")");
  EXPECT_EQ(JsonString("caf\xe9"), R"("caf?")");
  EXPECT_EQ(JsonString(""), R"("")");
}

TEST(JsonTextTest, ShowsTheStartOfLongTexts) {
  EXPECT_EQ(Shown("short"), "short");
  EXPECT_EQ(Shown(std::string(500, 'x')).size(), 120u);
  const std::string text = std::string(119, 'x') + "é and more";
  EXPECT_EQ(Shown(text).size(), 119u) << "characters stay whole";
}

TEST(JsonTextTest, FindsTheFirstFault) {
  auto f = [](std::string_view text, std::size_t offset, std::string_view what) {
    const auto fault = FindJsonFault(text);
    ASSERT_TRUE(fault) << text;
    EXPECT_EQ(fault->offset, offset) << text;
    EXPECT_EQ(fault->what, what) << text;
  };
  f("", 0, "a value");
  f("tru", 0, "a value");
  f("1 2", 2, "the end, after a whole value");
  f("{1:2}", 1, "a field name in double quotes");
  f(R"({"a":1,})", 7, "a field name in double quotes");
  f(R"({"a":1 "b":2})", 7, "a comma or } after the field");
  f("[1 2]", 3, "a comma or ] after the element");
  f("[1,]", 3, "a value");
  f("\"abc", 4, "the closing quote of the string");
  f("\"a\nb\"", 2, "an escape like \\n instead of a bare control character");
  f(R"("a\x")", 3, "one of \" \\ / b f n r t u after a backslash");
  f(R"("\u12g4")", 5, "four hexadecimal digits after \\u");
  f("[\"\xff\"]", 2, "a string in UTF-8");
  f("01", 1, "a number without leading zeros");
  f("-", 1, "a digit");
  f("1.", 2, "a digit");
  f("1e+", 3, "a digit");
  f(std::string(2000, '['), 1001, "less than 1000 values in one another");
}

TEST(JsonTextTest, FindsNoFaultInJson) {
  for (const std::string_view text :
       {"null", " true ", "-0.5e+3", R"({"a":[1,{"b":"\u00e9\n"}],"c":{}})", "[]", "0"}) {
    EXPECT_FALSE(FindJsonFault(text)) << text;
  }
}

}  // namespace
}  // namespace firstword::simulate
