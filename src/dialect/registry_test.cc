#include "dialect/registry.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "dialect/embedded.h"
#include "dialect/test_files.h"

namespace firstword::dialect {
namespace {

// All faults of all embedded files, not only the first.
TEST(RegistryTest, EveryEmbeddedDialectLoads) {
  Registry registry = EmptyRegistry();
  for (const EmbeddedFile& file : EmbeddedDialects()) {
    if (file.name == "signals.yaml") continue;
    const Result<void> added = registry.AddYaml(file.content, file.name);
    EXPECT_TRUE(added) << added.error().ToString();
  }
  EXPECT_TRUE(Registry::LoadBuiltin());
}

class OwnDirectoryTest : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = std::filesystem::path(testing::TempDir()) /
                 testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  void Write(const std::string& name, const std::string& text) {
    std::ofstream(directory_ / name) << text;
  }

  std::filesystem::path directory_;
};

TEST_F(OwnDirectoryTest, AddsSignalsAndDialects) {
  Write("signals.yaml", "signals:\n  llm:my_gauge: {type: gauge, unit: count, help: \"Mine.\"}\n");
  Write("mine.yaml",
        "dialect: mine\ntitle: Mine\nkind: engine\nprecedence: 1\ndetect: mine_*\n"
        "signals: {llm:my_gauge: mine_gauge}\n");
  Write("notes.txt", "not a dialect");
  const Result<Registry> registry = Registry::Load(directory_);
  ASSERT_TRUE(registry) << registry.error().ToString();
  ASSERT_NE(registry->catalog().Find("llm:my_gauge"), nullptr);
  ASSERT_NE(registry->Find("mine"), nullptr);
  EXPECT_EQ(registry->Find("mine")->signals[0].signal, registry->catalog().Find("llm:my_gauge"));
}

TEST_F(OwnDirectoryTest, NamesTheFileOfAFault) {
  Write("bad.yaml", "dialect: x\ntitle: X\nkind: car\ndetect: a\nsignals: {}\n");
  const Result<Registry> registry = Registry::Load(directory_);
  ASSERT_FALSE(registry);
  EXPECT_EQ(registry.error().message,
            (directory_ / "bad.yaml").string() +
                ":3:7: \"kind\" must be engine or gateway or gpu, found \"car\"");
}

TEST_F(OwnDirectoryTest, RefusesOneDialectInTwoFiles) {
  const std::string text = "dialect: x\ntitle: X\nkind: gpu\ndetect: a\nsignals: {}\n";
  Write("a.yaml", text);
  Write("b.yaml", text);
  const Result<Registry> registry = Registry::Load(directory_);
  ASSERT_FALSE(registry);
  EXPECT_EQ(registry.error().ToString(),
            "dialect \"x\" stands in " + (directory_ / "a.yaml").string() + " and in " +
                (directory_ / "b.yaml").string() + " (keep one of the two)");
}

TEST_F(OwnDirectoryTest, SaysThatItIsMissing) {
  const Result<Registry> registry = Registry::Load(directory_ / "nowhere");
  ASSERT_FALSE(registry);
  EXPECT_EQ(registry.error().ToString(),
            "dialects directory " + (directory_ / "nowhere").string() +
                ": No such file or directory (give a readable directory with *.yaml files)");
}

TEST(RegistryTest, ReplacesAKnownDialectAndKeepsTheOrder) {
  Registry registry = EmptyRegistry();
  const auto add = [&](const std::string& name, const std::string& title, int precedence) {
    const std::string yaml = "dialect: " + name + "\ntitle: " + title +
                             "\nkind: gpu\nprecedence: " + std::to_string(precedence) +
                             "\ndetect: a\nsignals: {}\n";
    const Result<void> added = registry.AddYaml(yaml, name + ".yaml");
    EXPECT_TRUE(added) << added.error().ToString();
  };
  add("b", "B", 5);
  add("c", "C", 1);
  add("a", "A", 5);
  add("b", "B2", 5);
  std::string order;
  for (const Dialect& dialect : registry.dialects()) order += dialect.title + " ";
  EXPECT_EQ(order, "C A B2 ");
}

}  // namespace
}  // namespace firstword::dialect
