#include "dialect/exports/page_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "dialect/exports/export_catalog.h"

namespace firstword::dialect {
namespace {

using testing::ElementsAre;

PageSpec Toy(const std::string& version, const std::string& writer = "python") {
  ExportCatalog catalog;
  const Result<void> added = catalog.AddYaml(
      "dialect: toy\nexports:\n  - engine: toy\n    title: Toy\n    versions: [\"1.0\", \"3.0\"]\n"
      "    writer: " +
          writer +
          "\n    labels: {model: $model, engine: {value: $rank, since: \"2.0\"}}\n"
          "    buckets:\n      wait: [{bounds: [1], until: \"1.9\"}, {bounds: [1, 2], since: "
          "\"2.0\"}]\n      tokens: {one_two_five: max_model_len}\n"
          "    families:\n"
          "      - {name: old, type: gauge, value: running, until: \"1.9\"}\n"
          "      - {name: wait, type: histogram, value: queue, buckets: wait}\n"
          "      - {name: wait_again, type: histogram, value: queue, buckets: wait}\n"
          "      - {name: tokens, type: histogram, value: prompt_tokens, buckets: tokens}\n"
          "      - name: ended_total\n        type: counter\n        extra_labels: {model: other, "
          "z: "
          "\"1\"}\n"
          "        rows: [{labels: {a: b}, value: 1}, {value: 2, since: \"2.0\"}]\n",
      "toy.yaml");
  EXPECT_TRUE(added) << added.error().ToString();
  return Resolve(*catalog.Find("toy"), *Version::Parse(version), {.max_model_len = 30});
}

std::vector<std::string> Names(const PageSpec& page) {
  std::vector<std::string> names;
  for (const PageFamily& family : page.families) names.push_back(family.name);
  return names;
}

std::vector<std::string> Names(const std::vector<PageLabel>& labels) {
  std::vector<std::string> names;
  for (const PageLabel& label : labels) names.push_back(label.name);
  return names;
}

TEST(ResolveTest, KeepsWhatTheVersionPrints) {
  const PageSpec first = Toy("1.0");
  EXPECT_THAT(Names(first), ElementsAre("old", "wait", "wait_again", "tokens", "ended_total"));
  EXPECT_THAT(first.families[1].bounds, ElementsAre(1));
  EXPECT_EQ(first.families[4].rows.size(), 1u);
  const PageSpec second = Toy("2.5");
  EXPECT_THAT(Names(second), ElementsAre("wait", "wait_again", "tokens", "ended_total"));
  EXPECT_THAT(second.families[0].bounds, ElementsAre(1, 2));
  EXPECT_EQ(second.families[3].rows.size(), 2u);
}

TEST(ResolveTest, OrdersLabelsAsTheWriterDoes) {
  EXPECT_THAT(Names(Toy("1.0").families[4].rows[0].labels), ElementsAre("a", "model", "z"));
  const PageSpec listed = Toy("2.0", "openmetrics");
  EXPECT_THAT(Names(listed.families[3].rows[0].labels), ElementsAre("model", "engine", "z", "a"));
  EXPECT_EQ(listed.families[3].rows[0].labels[0].value.pieces[0].text, "other");
}

TEST(ResolveTest, GrowsBucketsWithTheModel) {
  EXPECT_THAT(Toy("1.0").families[3].bounds, ElementsAre(1, 2, 5, 10, 20));
}

TEST(ResolveTest, CountsEachHistogramOnce) {
  const PageSpec page = Toy("1.0");
  ASSERT_EQ(page.histograms.size(), 2u);
  EXPECT_EQ(page.families[1].rows[0].histogram, 0);
  EXPECT_EQ(page.families[2].rows[0].histogram, 0);
  EXPECT_EQ(page.families[3].rows[0].histogram, 1);
  EXPECT_EQ(page.histograms[1].quantity, "prompt_tokens");
}

TEST(ResolveTest, OnlyOneProcessOfPythonHasCreatedSeries) {
  EXPECT_TRUE(Toy("1.0").families[4].created);
  EXPECT_TRUE(Toy("1.0").families[1].created);
  EXPECT_FALSE(Toy("1.0").families[0].created);
  EXPECT_FALSE(Toy("1.0", "python-multiprocess").families[4].created);
  EXPECT_FALSE(Toy("1.0", "go").families[4].created);
}

TEST(ExportCatalogTest, BuiltinFilesAreSound) {
  const Result<ExportCatalog> catalog = ExportCatalog::LoadBuiltin();
  ASSERT_TRUE(catalog) << catalog.error().ToString();
  EXPECT_NE(catalog->Find("vllm"), nullptr);
  EXPECT_NE(catalog->Find("vllm-rust"), nullptr);
  EXPECT_EQ(catalog->Find("vlm"), nullptr);
}

TEST(ExportCatalogTest, ChoosesEngineAndVersion) {
  const ExportCatalog catalog = ExportCatalog::LoadBuiltin().value();
  auto f = [&](const std::string& text, const std::string& engine, const std::string& version) {
    const Result<ExportChoice> choice = catalog.Choose(text);
    ASSERT_TRUE(choice) << choice.error().ToString();
    EXPECT_EQ(choice->page->engine, engine);
    EXPECT_EQ(choice->version.ToString(), version);
  };
  f("vllm", "vllm", "0.30");
  f("vllm:0.12", "vllm", "0.12");
  f("vllm:0.10.2", "vllm", "0.10.2");
  f("vllm:0.31", "vllm", "0.31");
}

TEST(ExportCatalogTest, SaysWhatCannotBeChosen) {
  const ExportCatalog catalog = ExportCatalog::LoadBuiltin().value();
  auto f = [&](const std::string& text, const std::string& want) {
    const Result<ExportChoice> choice = catalog.Choose(text);
    ASSERT_FALSE(choice) << text;
    EXPECT_EQ(choice.error().ToString(), want);
  };
  f("vlm", "no engine is named \"vlm\" (did you mean \"vllm\"?)");
  f("vllm:new", "\"new\" is no version of vllm (write it as vllm:0.30)");
  f("vllm:", "\"\" is no version of vllm (write it as vllm:0.30)");
  f("vllm:0.1", "vllm 0.1 is older than what is known of its page (the oldest is 0.6)");
}

TEST(ExportCatalogTest, FilesOfADirectoryReplaceEngines) {
  const std::string directory = testing::TempDir() + "/exports";
  const Result<ExportCatalog> missing = ExportCatalog::Load(directory + "/none");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message,
            "dialects directory " + directory + "/none: No such file or directory");
}

}  // namespace
}  // namespace firstword::dialect
