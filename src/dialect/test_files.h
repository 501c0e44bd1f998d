#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "dialect/registry.h"

namespace firstword::dialect {

inline std::string ReadTestFile(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline std::filesystem::path SourceDir() { return FIRSTWORD_SOURCE_DIR; }
inline std::filesystem::path TestDataDir() { return SourceDir() / "src/dialect/testdata"; }

// No dialects over the catalog of the tree.
inline Registry EmptyRegistry() {
  const std::string yaml = ReadTestFile(SourceDir() / "dialects/signals.yaml");
  Result<Registry> registry = Registry::WithCatalog(yaml, "signals.yaml");
  EXPECT_TRUE(registry) << registry.error().ToString();
  return *std::move(registry);
}

}  // namespace firstword::dialect
