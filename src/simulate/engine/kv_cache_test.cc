#include "simulate/engine/kv_cache.h"

#include <gtest/gtest.h>

#include "simulate/engine/prefix_hash.h"

namespace firstword::simulate {
namespace {

std::vector<std::uint64_t> Hashes(std::vector<PromptPart> prompt, std::size_t blocks) {
  std::vector<std::uint64_t> hashes;
  ExtendPrefixHashes(prompt, 16, blocks, hashes);
  return hashes;
}

void Fill(KvCache& cache, const std::vector<std::uint64_t>& hashes,
          std::vector<std::uint32_t>& table) {
  ASSERT_TRUE(cache.Allocate(static_cast<std::uint32_t>(hashes.size()), table));
  for (std::size_t i = 0; i < hashes.size(); ++i) cache.Publish(table[i], hashes[i]);
}

TEST(KvCacheTest, SharesWhatIsTheSameAndCountsItOnce) {
  KvCache cache(10, true);
  const auto hashes = Hashes({{.text = 1, .tokens = 48}}, 3);
  std::vector<std::uint32_t> first;
  Fill(cache, hashes, first);
  EXPECT_EQ(cache.CountHits(hashes), 3u);
  EXPECT_EQ(cache.CountFreeHits(hashes), 0u);
  std::vector<std::uint32_t> second;
  cache.Share(hashes, second);
  EXPECT_EQ(second, first);
  EXPECT_EQ(cache.free_blocks(), 7u);
  cache.Release(first);
  EXPECT_EQ(cache.free_blocks(), 7u) << "the second still holds them";
  cache.Release(second);
  EXPECT_EQ(cache.free_blocks(), 10u);
  EXPECT_EQ(cache.cached_blocks(), 3u);
  EXPECT_EQ(cache.CountFreeHits(hashes), 3u);
}

TEST(KvCacheTest, HandsOutTheLeastRecentlyUsedAndTheTailOfAPrefixFirst) {
  KvCache cache(4, true);
  const auto old_hashes = Hashes({{.text = 1, .tokens = 32}}, 2);
  const auto new_hashes = Hashes({{.text = 2, .tokens = 32}}, 2);
  std::vector<std::uint32_t> a, b, c;
  Fill(cache, old_hashes, a);
  Fill(cache, new_hashes, b);
  cache.Release(a);
  cache.Release(b);
  ASSERT_TRUE(cache.Allocate(1, c));
  EXPECT_EQ(cache.CountHits(old_hashes), 1u) << "its last block went, its first is there";
  EXPECT_EQ(cache.CountHits(new_hashes), 2u);
  EXPECT_FALSE(cache.Allocate(4, c)) << "only three are free";
  EXPECT_EQ(c.size(), 1u);
}

TEST(KvCacheTest, WithoutPrefixCachingNothingIsFound) {
  KvCache cache(4, false);
  const auto hashes = Hashes({{.text = 1, .tokens = 32}}, 2);
  std::vector<std::uint32_t> table;
  Fill(cache, hashes, table);
  EXPECT_EQ(cache.CountHits(hashes), 0u);
  cache.Release(table);
  EXPECT_EQ(cache.cached_blocks(), 0u);
}

TEST(KvCacheTest, SwitchingCachingOffForgetsWhatWasThere) {
  KvCache cache(4, true);
  const auto hashes = Hashes({{.text = 1, .tokens = 32}}, 2);
  std::vector<std::uint32_t> table;
  Fill(cache, hashes, table);
  cache.Release(table);
  cache.set_prefix_caching(false);
  cache.set_prefix_caching(true);
  EXPECT_EQ(cache.CountHits(hashes), 0u);
  EXPECT_EQ(cache.cached_blocks(), 0u);
  EXPECT_EQ(cache.free_blocks(), 4u);
}

TEST(PrefixHashTest, EqualExactlyWhereTheTokensAre) {
  const PromptPart system{.text = 1, .offset = 0, .tokens = 40};
  const auto a = Hashes({system, {.text = 7, .offset = 0, .tokens = 60}}, 6);
  const auto b = Hashes({system, {.text = 8, .offset = 0, .tokens = 60}}, 6);
  EXPECT_EQ(a[0], b[0]);
  EXPECT_EQ(a[1], b[1]);
  for (std::size_t i = 2; i < 6; ++i) EXPECT_NE(a[i], b[i]) << "block " << i;
  // The same tokens at another place are another prefix.
  EXPECT_NE(Hashes({{.text = 1, .offset = 16, .tokens = 16}}, 1)[0], a[0]);
}

TEST(PrefixHashTest, ATextGoesOnWhereTheAnswerBegan) {
  // Turn 2 sends turn 1 and its answer back as one longer part of the same conversation.
  const auto turn1 = Hashes({{.text = 5, .offset = 0, .tokens = 30}}, 4);
  const auto turn2 = Hashes({{.text = 5, .offset = 0, .tokens = 70}}, 4);
  EXPECT_EQ(turn1, turn2);
}

TEST(PrefixHashTest, MayBeExtendedStepByStep) {
  const std::vector<PromptPart> prompt = {{.text = 1, .tokens = 20}, {.text = 2, .tokens = 100}};
  std::vector<std::uint64_t> hashes;
  for (std::size_t blocks = 1; blocks <= 7; ++blocks)
    ExtendPrefixHashes(prompt, 16, blocks, hashes);
  EXPECT_EQ(hashes, Hashes(prompt, 7));
}

}  // namespace
}  // namespace firstword::simulate
