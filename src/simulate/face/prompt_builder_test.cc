#include "simulate/face/prompt_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace firstword::simulate {
namespace {

std::vector<PromptPart> PartsOf(std::string_view text) {
  PromptBuilder builder;
  builder.AppendText(text);
  return builder.Finish();
}

std::size_t SharedParts(std::string_view a, std::string_view b) {
  const auto of_a = PartsOf(a);
  const auto of_b = PartsOf(b);
  const auto same = [](const PromptPart& x, const PromptPart& y) {
    return x.text == y.text && x.tokens == y.tokens;
  };
  return static_cast<std::size_t>(std::ranges::mismatch(of_a, of_b, same).in1 - of_a.begin());
}

TEST(PromptBuilderTest, CountsOneTokenForFourBytes) {
  auto f = [](std::size_t bytes, std::uint32_t want) {
    std::uint32_t tokens = 0;
    for (const PromptPart& part : PartsOf(std::string(bytes, 'x'))) tokens += part.tokens;
    EXPECT_EQ(tokens, want) << bytes;
  };
  f(0, 1);
  f(1, 1);
  f(4, 1);
  f(5, 2);
  f(64, 16);
  f(65, 17);
  f(6400, 1600);
}

TEST(PromptBuilderTest, SharesTheBeginningsOfTexts) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += std::to_string(i * 7919);
  auto f = [&](std::string_view other, std::size_t want) {
    EXPECT_EQ(SharedParts(text, other), want) << other;
  };
  f(text, PartsOf(text).size());
  f(text.substr(0, 200), 3);
  f(text.substr(0, 192) + "something else", 3);
  f("x" + text, 0);
  f("", 0);
  EXPECT_EQ(SharedParts(text.substr(64), text), 0u) << "the same words elsewhere are not the same";
}

TEST(PromptBuilderTest, ForgetsWhereTextsWereJoined) {
  const std::string text =
      "The quick brown fox jumps over the lazy dog, again and again and again.";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    PromptBuilder builder;
    builder.AppendText(text.substr(0, cut));
    builder.AppendText(text.substr(cut));
    const auto parts = builder.Finish();
    const auto whole = PartsOf(text);
    ASSERT_EQ(parts.size(), whole.size());
    EXPECT_EQ(parts.back().text, whole.back().text) << cut;
  }
}

TEST(PromptBuilderTest, KeepsGivenTokensApartFromText) {
  std::vector<std::uint32_t> ids;
  PromptBuilder builder(&ids);
  builder.AppendText("abcde");
  builder.AppendToken(7);
  const auto parts = builder.Finish();
  ASSERT_EQ(ids.size(), 3u);
  EXPECT_EQ(ids[2], 7u);
  EXPECT_LT(ids[0], PromptBuilder::kVocabulary);
  EXPECT_EQ(parts[0].tokens, 3u);
  // "a" and "a\0" are not the same token.
  EXPECT_NE(PartsOf("a")[0].text, PartsOf(std::string_view("a\0", 2))[0].text);
}

}  // namespace
}  // namespace firstword::simulate
