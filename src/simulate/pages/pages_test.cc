#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "dialect/catalog.h"
#include "dialect/detect.h"
#include "exposition/parser.h"
#include "simulate/pages/test_pages.h"

// Every page of every export: against the golden one, the strict parser and the dialects.

namespace firstword::simulate {
namespace {

// No gateway is simulated yet.
bool IsGateway(const dialect::Export& page) {
  return std::ranges::any_of(page.families, [](const dialect::ExportFamily& family) {
    return std::ranges::any_of(family.rows, [](const dialect::ExportRow& row) {
      return row.value.quantity.starts_with("gateway.");
    });
  });
}

void ForEachPage(const auto& function) {
  for (const dialect::Export& page : BuiltinExports().all()) {
    if (IsGateway(page)) continue;
    for (const dialect::Version& version : page.versions) {
      SCOPED_TRACE(page.engine + " " + version.ToString());
      function(page, version);
    }
  }
}

// Compares with testdata/<name>. With FIRSTWORD_UPDATE_GOLDEN set the file is written
// instead: read the difference before it is kept.
void ExpectGolden(const std::string& name, const std::string& text) {
  const std::filesystem::path path =
      std::filesystem::path(FIRSTWORD_SOURCE_DIR "/src/simulate/pages/testdata") / name;
  if (std::getenv("FIRSTWORD_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << "no " << path << "; write it with FIRSTWORD_UPDATE_GOLDEN=1";
  const std::string want{std::istreambuf_iterator<char>(file), {}};
  // The first line that differs says more than two pages.
  if (text == want) return;
  const auto [got_at, want_at] = std::mismatch(text.begin(), text.end(), want.begin(), want.end());
  const auto line = std::count(text.begin(), got_at, '\n') + 1;
  const auto rest = [](auto begin, auto end) {
    return std::string(begin, std::find(begin, end, '\n'));
  };
  ADD_FAILURE() << name << ":" << line << ": got ..." << rest(got_at, text.end())
                << "\n  instead of ..." << rest(want_at, want.end());
}

TEST(PagesTest, AreAsBefore) {
  ForEachPage([](const dialect::Export& page, const dialect::Version& version) {
    ExpectGolden(page.engine + "-" + version.ToString() + ".prom", PrintTestPage(page, version));
  });
}

exposition::Format FormatOf(const dialect::PageSpec& page) {
  return exposition::FormatFromContentType(ContentTypeOf(page.writer)).format;
}

TEST(PagesTest, HaveNoFault) {
  ForEachPage([](const dialect::Export& page, const dialect::Version& version) {
    exposition::PageParser parser({.mode = exposition::Mode::kStrict});
    const Result<void> parsed =
        parser.Parse(PrintTestPage(page, version, 2), FormatOf(TestPage(page, version)));
    ASSERT_TRUE(parsed) << parsed.error().ToString();
    for (const exposition::Fault& fault : parser.page().faults()) {
      ADD_FAILURE() << fault.line << ":" << fault.column << ": " << fault.message;
    }
    EXPECT_EQ(parser.page().duplicate_count(), 0u);
    EXPECT_TRUE(parser.page().complete());
  });
}

std::vector<promql::SharedLabels> SeriesOf(const exposition::Page& page) {
  std::vector<promql::SharedLabels> all;
  for (const exposition::Series& series : page.series()) {
    promql::Labels labels;
    labels.Set("__name__", std::string(series.name));
    for (const exposition::LabelView& label : series.labels) {
      labels.Set(std::string(label.name), std::string(label.value));
    }
    all.push_back(std::make_shared<const promql::Labels>(std::move(labels)));
  }
  return all;
}

void ExpectRecognised(const dialect::Registry& registry, const dialect::Export& page,
                      const dialect::Version& version) {
  exposition::PageParser parser;
  ASSERT_TRUE(parser.Parse(PrintTestPage(page, version), FormatOf(TestPage(page, version))));
  const auto detections = Detect(registry, SeriesOf(parser.page()));
  ASSERT_FALSE(detections.empty());
  EXPECT_EQ(detections.front().dialect->name, page.dialect);
  for (std::size_t i = 1; i < detections.size(); ++i) {
    ADD_FAILURE() << "also taken for " << detections[i].dialect->name;
  }
  EXPECT_TRUE(InRange(detections.front().versions, version))
      << detections.front().versions.ToString() << ": "
      << testing::PrintToString(detections.front().evidence);
}

TEST(PagesTest, AreRecognisedAsWhatTheyAre) {
  const dialect::Registry registry = dialect::Registry::LoadBuiltin().value();
  ForEachPage([&](const dialect::Export& page, const dialect::Version& version) {
    ExpectRecognised(registry, page, version);
  });
}

TEST(PagesTest, OfReleasesBetweenAreRecognisedToo) {
  const dialect::Registry registry = dialect::Registry::LoadBuiltin().value();
  for (const std::string release :
       {"0.6.2", "0.6.4", "0.6.6", "0.7.3", "0.8.0", "0.8.4", "0.8.5", "0.9.0", "0.9.2", "0.10.2",
        "0.11.0", "0.11.1", "0.13.0", "0.15.0", "0.16.0", "0.17.0", "0.21.0", "0.29.0"}) {
    SCOPED_TRACE("vllm:" + release);
    const dialect::ExportChoice vllm = BuiltinExports().Choose("vllm:" + release).value();
    ExpectRecognised(registry, *vllm.page, vllm.version);
  }
}

TEST(PagesTest, NameQuantitiesThatThereAre) {
  for (const dialect::Export& page : BuiltinExports().all()) {
    for (const dialect::ExportFamily& family : page.families) {
      const bool is_distribution = family.type == dialect::ExportType::kHistogram ||
                                   family.type == dialect::ExportType::kSummary;
      for (const dialect::ExportRow& row : family.rows) {
        const std::string& name = row.value.quantity;
        if (name.empty()) continue;
        SCOPED_TRACE(page.engine + ", line " + std::to_string(family.line) + ": " + name);
        const Quantity* number = FindQuantity(name);
        const auto distribution = FindDistribution(name);
        std::string_view unit;
        if (is_distribution) {
          EXPECT_TRUE(distribution) << "no distribution";
          if (distribution) unit = InfoOf(*distribution).unit;
        } else {
          EXPECT_NE(number, nullptr) << "no number";
          if (number != nullptr) unit = number->unit;
          const bool of_gpu = number != nullptr && number->scope == Scope::kGpu;
          EXPECT_TRUE(!of_gpu || family.per == dialect::Per::kGpu) << "only GPUs have it";
        }
        if (family.unit.empty() || unit.empty()) continue;
        EXPECT_TRUE(dialect::UnitScale(unit, family.unit)) << unit << " in " << family.unit;
      }
    }
  }
}

}  // namespace
}  // namespace firstword::simulate
