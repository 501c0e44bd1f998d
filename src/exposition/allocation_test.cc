#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <string>

#include "exposition/parser.h"

// Counts every allocation of this test binary. Under a sanitizer the operators are its
// own, and the count stays 0: the test then still runs the path.
namespace {
std::size_t g_allocations = 0;
}  // namespace

#if defined(__has_feature)
#define FIRSTWORD_HAS(feature) __has_feature(feature)
#else
#define FIRSTWORD_HAS(feature) 0
#endif
#if !FIRSTWORD_HAS(address_sanitizer) && !FIRSTWORD_HAS(thread_sanitizer)
void* operator new(std::size_t size) {
  ++g_allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif

namespace firstword::exposition {
namespace {

std::string PageWith(int value) {
  std::string page;
  for (int i = 0; i < 200; ++i) {
    page += "family_" + std::to_string(i) + "{model_name=\"m\",engine=\"0\"} " +
            std::to_string(value * i) + ".5\n";
  }
  return page;
}

TEST(PageParserTest, AllocatesNothingWhileTheLayoutStays) {
  const std::string pages[] = {PageWith(1), PageWith(7), PageWith(12345)};
  PageParser parser;
  ASSERT_TRUE(parser.Parse(pages[0], Format::kText));
  const std::size_t before = g_allocations;
  for (int i = 0; i < 30; ++i) {
    if (!parser.Parse(pages[i % 3], Format::kText)) FAIL();
  }
  EXPECT_EQ(g_allocations, before);
  EXPECT_EQ(parser.page().values()[2], 12345 * 2 + 0.5);
}

}  // namespace
}  // namespace firstword::exposition
