#include "cli/text/json_writer.h"

#include <gtest/gtest.h>

#include <limits>
#include <utility>

namespace firstword::cli {
namespace {

std::string Compact(auto write) {
  JsonWriter json(JsonWriter::Layout::kCompact);
  write(json);
  return std::move(json).Take();
}

TEST(JsonWriterTest, Nests) {
  EXPECT_EQ(Compact([](JsonWriter& json) {
              json.BeginObject();
              json.Field("a", 1.0);
              json.Key("b");
              json.BeginArray();
              json.String("x");
              json.Bool(true);
              json.Null();
              json.BeginObject();
              json.EndObject();
              json.BeginArray();
              json.EndArray();
              json.EndArray();
              json.Field("c", std::optional<double>());
              json.EndObject();
            }),
            R"({"a":1,"b":["x",true,null,{},[]],"c":null})");
}

TEST(JsonWriterTest, LaysOutLines) {
  JsonWriter json(JsonWriter::Layout::kLines);
  json.BeginObject();
  json.Field("a", std::size_t{1});
  json.Key("b");
  json.BeginArray();
  json.String("x");
  json.EndArray();
  json.Key("c");
  json.BeginObject();
  json.EndObject();
  json.EndObject();
  EXPECT_EQ(std::move(json).Take(), "{\n  \"a\": 1,\n  \"b\": [\n    \"x\"\n  ],\n  \"c\": {}\n}");
}

TEST(JsonWriterTest, EscapesStrings) {
  auto f = [](std::string_view in, std::string_view want) {
    EXPECT_EQ(Compact([&](JsonWriter& json) { json.String(in); }), want);
  };
  f("a\"b\\c/d", R"("a\"b\\c/d")");
  f("\n\r\t\x01\x7f", R"("\n\r\t\u0001\u007f")");
  f(std::string_view("\0", 1), R"("\u0000")");
  f("µ 模型 😀", "\"µ 模型 😀\"");
  f("a\xff\xe2\x82z", "\"a\uFFFD\uFFFD\uFFFDz\"");
}

TEST(JsonWriterTest, NumbersReadBackTheSame) {
  auto f = [](double in, std::string_view want) {
    EXPECT_EQ(Compact([&](JsonWriter& json) { json.Number(in); }), want);
  };
  f(0.1, "0.1");
  f(22, "22");
  f(-0.0, "-0");
  f(1e300, "1e+300");
  f(1790824200.44, "1790824200.44");
  f(std::numeric_limits<double>::infinity(), "null");
  f(std::numeric_limits<double>::quiet_NaN(), "null");
}

}  // namespace
}  // namespace firstword::cli
