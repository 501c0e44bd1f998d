#include "net/gzip.h"

#include <gtest/gtest.h>

#include <string>

namespace firstword::net {
namespace {

TEST(InflaterTest, UnpacksInPiecesAndSeveralMembers) {
  std::string plain;
  for (int i = 0; i < 5000; ++i) plain += "line " + std::to_string(i) + "\n";
  const std::string packed = Gzip(plain) + Gzip("tail");
  for (const std::size_t step : {std::size_t{1}, std::size_t{7}, packed.size()}) {
    Inflater inflater(1 << 20);
    std::string out;
    for (std::size_t at = 0; at < packed.size(); at += step) {
      ASSERT_TRUE(inflater.Feed(std::string_view(packed).substr(at, step), &out));
    }
    ASSERT_TRUE(inflater.Finish());
    EXPECT_EQ(out, plain + "tail");
  }
}

TEST(InflaterTest, StopsABombAtTheLimit) {
  const std::string bomb = Gzip(std::string(50 << 20, 'x'));
  Inflater inflater(1 << 20);
  std::string out;
  const Result<void> fed = inflater.Feed(bomb, &out);
  ASSERT_FALSE(fed);
  EXPECT_EQ(fed.error().code, ErrorCode::kLimit);
  EXPECT_EQ(fed.error().message, "unpacks to more than 1048576 bytes");
  EXPECT_LE(out.size(), std::size_t{1 << 20});
}

TEST(GunzipTest, NamesBrokenAndCutData) {
  auto f = [](std::string_view data, std::string_view want) {
    const Result<std::string> out = Gunzip(data, 1000);
    ASSERT_FALSE(out);
    EXPECT_EQ(out.error().message, want);
  };
  f("plain text", "broken gzip data: incorrect header check");
  const std::string packed = Gzip("hello");
  f(std::string_view(packed).substr(0, packed.size() - 3), "the gzip data ends too early");
  f("", "the gzip data ends too early");
}

}  // namespace
}  // namespace firstword::net
