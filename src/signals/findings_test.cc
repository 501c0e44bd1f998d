#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "dialect/registry.h"
#include "signals/checks.h"
#include "signals/test_scene.h"
#include "signals/words.h"
#include "signals/xid.h"

namespace firstword::signals {
namespace {

std::string FindingsPage() {
  const auto path = std::filesystem::path(FIRSTWORD_SOURCE_DIR) / "docs/findings.md";
  std::ifstream in(path);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TEST(FindingsTest, EveryCodeIsExplained) {
  const std::string page = FindingsPage();
  for (const std::string_view code : FindingCodes()) {
    EXPECT_NE(page.find("### `" + std::string(code) + "`\n"), std::string::npos)
        << code << " has no section in docs/findings.md";
  }
  const auto registry = dialect::Registry::LoadBuiltin();
  ASSERT_TRUE(registry) << registry.error().ToString();
  for (const dialect::Dialect& dialect : registry->dialects()) {
    for (const dialect::KnownFault& fault : dialect.faults) {
      EXPECT_NE(page.find("`" + fault.code + "`"), std::string::npos)
          << "docs/findings.md lacks: | `" << fault.code << "` | " << dialect.title << " | "
          << fault.text << " |";
    }
  }
}

TEST(FindingsTest, EveryCheckNamedByADialectExists) {
  const auto registry = dialect::Registry::LoadBuiltin();
  ASSERT_TRUE(registry) << registry.error().ToString();
  for (const dialect::Dialect& dialect : registry->dialects()) {
    for (const dialect::KnownFault& fault : dialect.faults) {
      EXPECT_TRUE(fault.check.empty() || IsFaultCheck(fault.check))
          << dialect.file << ": fault " << fault.code << " names the check " << fault.check
          << ", which is not in src/signals";
    }
  }
  EXPECT_FALSE(IsFaultCheck("no_such_check"));
}

TEST(FindingsTest, EveryCodeOfTheTableHasAScene) {
  std::string scenes;
  for (const auto& entry : std::filesystem::directory_iterator(SignalsTestData() / "scenes")) {
    std::ifstream in(entry.path());
    scenes.append(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  for (const std::string_view code : FindingCodes()) {
    EXPECT_NE(scenes.find(" " + std::string(code)), std::string::npos) << code;
  }
}

TEST(XidTest, KnowsTheClassOfACode) {
  const auto f = [](int code, std::string_view kind, bool hardware) {
    EXPECT_EQ(MeaningOfXid(code).kind, kind) << code;
    EXPECT_EQ(MeaningOfXid(code).hardware, hardware) << code;
    EXPECT_EQ(MeaningOfXid(code).code, code);
  };
  f(31, "application", false);
  f(48, "memory hardware", true);
  f(74, "link", true);
  f(79, "hardware", true);
  f(119, "firmware", true);
  f(145, "link", true);
  f(999, "unclassified", false);
}

TEST(WordsTest, WritesNumbersShort) {
  EXPECT_EQ(Seconds(0.25), "250 ms");
  EXPECT_EQ(Seconds(1.5), "1.5 s");
  EXPECT_EQ(Seconds(0), "0 s");
  EXPECT_EQ(Seconds(300), "5 min");
  EXPECT_EQ(Seconds(7200), "2 h");
  EXPECT_EQ(Percent(0.96), "96 %");
  EXPECT_EQ(Percent(0.004), "0.4 %");
  EXPECT_EQ(Percent(0), "0 %");
  EXPECT_EQ(Number(15), "15");
  EXPECT_EQ(Number(0.256), "0.256");
  EXPECT_EQ(Count(1, "request"), "1 request");
  EXPECT_EQ(Count(5, "request"), "5 requests");
  EXPECT_EQ(Range({5, 10}), "between 5 s and 10 s");
  EXPECT_EQ(Range({0, 1}), "at most 1 s");
  EXPECT_EQ(Range({30, std::numeric_limits<double>::infinity()}), "at least 30 s");
  EXPECT_EQ(Moment(1'760'000'000'000), "2025-10-09 08:53:20");
  EXPECT_EQ(NameOf({{"instance", "a:1"}, {"job", "j"}}), "a:1");
  EXPECT_EQ(NameOf({{"job", "j"}}), "{job=\"j\"}");
}

}  // namespace
}  // namespace firstword::signals
