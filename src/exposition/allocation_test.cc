#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <string>

#include "exposition/parser.h"

// Watches every allocation of this test binary. Under a sanitizer the operators are its
// own, and the figures stay 0: the tests then still run the paths.
namespace {
std::size_t g_allocations = 0;
std::size_t g_live_bytes = 0;
std::size_t g_peak_bytes = 0;
}  // namespace

#if defined(__has_feature)
#define FIRSTWORD_HAS(feature) __has_feature(feature)
#else
#define FIRSTWORD_HAS(feature) 0
#endif
#if !FIRSTWORD_HAS(address_sanitizer) && !FIRSTWORD_HAS(thread_sanitizer)
void* operator new(std::size_t size) {
  ++g_allocations;
  void* const memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  g_live_bytes += malloc_usable_size(memory);
  g_peak_bytes = std::max(g_peak_bytes, g_live_bytes);
  return memory;
}
void operator delete(void* memory) noexcept {
  g_live_bytes -= malloc_usable_size(memory);
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
#endif

namespace firstword::exposition {
namespace {

std::string PageWith(int value, std::string_view rest) {
  std::string page;
  for (int i = 0; i < 200; ++i) {
    page += "family_" + std::to_string(i) + "{model_name=\"m\",engine=\"0\"} " +
            std::to_string(value * i) + ".5" + std::string(rest) + "\n";
  }
  return page;
}

TEST(AllocationTest, NothingIsAllocatedWhileTheLayoutStays) {
  for (const std::string rest : {"", " 1700000000000"}) {
    const std::string pages[] = {PageWith(1, rest), PageWith(7, rest), PageWith(12345, rest)};
    PageParser parser;
    ASSERT_TRUE(parser.Parse(pages[0], Format::kText));
    const std::size_t before = g_allocations;
    for (int i = 0; i < 30; ++i) {
      if (!parser.Parse(pages[i % 3], Format::kText)) FAIL();
    }
    EXPECT_EQ(g_allocations, before);
    EXPECT_EQ(parser.page().values()[2], 12345 * 2 + 0.5);
  }
}

TEST(AllocationTest, ABigPageOfDroppedLinesCostsItsCopyOnly) {
  std::string page = "kept 1\n";
  while (page.size() < 100'000'000) page += "this line is not a sample, nor is the next one\n";
  PageParser parser;
  const std::size_t before = g_peak_bytes = g_live_bytes;
  ASSERT_TRUE(parser.Parse(page, Format::kText));
  EXPECT_LT(g_peak_bytes - before, page.size() + 1'000'000);
  EXPECT_GT(parser.page().fault_count(), 2'000'000u);
}

}  // namespace
}  // namespace firstword::exposition
