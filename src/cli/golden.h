#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace firstword::cli {

inline std::string TestFile(const std::string& name) {
  return std::string(FIRSTWORD_SOURCE_DIR) + "/src/cli/testdata/" + name;
}

// Compares with testdata/<name>. With FIRSTWORD_UPDATE_GOLDEN set the file is written
// instead: read the difference before it is kept.
inline void ExpectGolden(const std::string& name, const std::string& text) {
  if (std::getenv("FIRSTWORD_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(TestFile(name)) << text;
    return;
  }
  std::ifstream file(TestFile(name));
  std::ostringstream want;
  want << file.rdbuf();
  EXPECT_EQ(text, want.str()) << name;
}

}  // namespace firstword::cli
