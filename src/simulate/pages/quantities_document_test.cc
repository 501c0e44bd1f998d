// What a page may show, as docs/quantities.md has it.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "simulate/pages/quantities.h"

namespace firstword::simulate {
namespace {

std::string_view ScopeWord(Scope scope) {
  switch (scope) {
    case Scope::kRank:
      return "rank";
    case Scope::kReplica:
      return "replica";
    case Scope::kGpu:
      return "GPU";
    case Scope::kGateway:
      return "server behind a gateway";
  }
  return "";
}

std::string QuantitiesMarkdown() {
  std::string out =
      "# Quantities of the simulator\n\n"
      "What `value` of a family in a dialect's `exports` may name ([dialects.md](dialects.md)). "
      "Written by\n"
      "`scripts/docs` from the table in `src/simulate/pages/quantities.cc`.\n\n"
      "## Numbers\n\n"
      "Every distribution below has `.sum` and `.count` as numbers, too.\n\n"
      "| name | unit | of a | what it is |\n|---|---|---|---|\n";
  for (const Quantity* quantity : AllQuantities()) {
    out += fmt::format("| `{}` | {} | {} | {} |\n", quantity->name, quantity->unit,
                       ScopeWord(quantity->scope), quantity->help);
  }
  out +=
      "\n## Distributions\n\nFor histograms and summaries.\n\n"
      "| name | unit | of a | what is observed |\n|---|---|---|---|\n";
  for (const DistributionInfo* info : AllDistributions()) {
    out += fmt::format("| `{}` | {} | {} | {} |\n", info->name, info->unit, ScopeWord(info->scope),
                       info->help);
  }
  return out;
}

TEST(QuantitiesMarkdownTest, DocsPageIsCurrent) {
  const std::string path = FIRSTWORD_SOURCE_DIR "/docs/quantities.md";
  if (std::getenv("FIRSTWORD_UPDATE_GOLDEN") != nullptr)
    std::ofstream(path) << QuantitiesMarkdown();
  std::ifstream file(path);
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  EXPECT_TRUE(page == QuantitiesMarkdown()) << "docs/quantities.md is old; run scripts/docs";
}

}  // namespace
}  // namespace firstword::simulate
