#include "dialect/document.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace firstword::dialect {
namespace {

TEST(SignalsMarkdownTest, DocsPageIsCurrent) {
  const Result<Registry> registry = Registry::LoadBuiltin();
  ASSERT_TRUE(registry) << registry.error().ToString();
  if (std::getenv("FIRSTWORD_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(FIRSTWORD_SOURCE_DIR "/docs/signals.md") << SignalsMarkdown(*registry);
  }
  std::ifstream file(FIRSTWORD_SOURCE_DIR "/docs/signals.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  EXPECT_TRUE(page == SignalsMarkdown(*registry))
      << "docs/signals.md is not what dialects/ says; run scripts/docs";
}

}  // namespace
}  // namespace firstword::dialect
