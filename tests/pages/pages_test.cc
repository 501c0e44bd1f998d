#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "expectation.h"
#include "exposition/parser.h"

namespace firstword::pages {
namespace {

namespace fs = std::filesystem;

const fs::path kPages = FIRSTWORD_SOURCE_DIR "/tests/pages";
const fs::path kCaptureExpectations = FIRSTWORD_SOURCE_DIR "/tests/captures";
const fs::path kCaptures = FIRSTWORD_SOURCE_DIR "/../shared/captures";

std::string ReadAll(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

const dialect::Registry& Builtin() {
  static const dialect::Registry registry = dialect::Registry::LoadBuiltin().value();
  return registry;
}

void ExpectPage(const fs::path& page, const fs::path& expectations) {
  ASSERT_TRUE(fs::exists(expectations)) << page.filename() << " has no " << expectations.filename();
  const Result<signals::TargetReport> report = ReportOn(page, Builtin());
  ASSERT_TRUE(report) << page << ": " << report.error().ToString();
  for (const std::string& mismatch : Mismatches(ReadAll(expectations), *report)) {
    ADD_FAILURE() << fs::relative(expectations, FIRSTWORD_SOURCE_DIR).string() << ": " << mismatch;
  }
}

std::vector<fs::path> PagesUnder(const fs::path& folder) {
  std::vector<fs::path> pages;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path extension = entry.path().extension();
    if (extension == ".prom" || extension == ".om") pages.push_back(entry.path());
  }
  std::sort(pages.begin(), pages.end());
  return pages;
}

TEST(PagesTest, OwnPagesAreReadAsExpected) {
  for (const fs::path& page : PagesUnder(kPages)) {
    ExpectPage(page, fs::path(page).replace_extension(".expect"));
  }
}

TEST(PagesTest, EveryDialectAndFlavourHasAPage) {
  std::set<std::string> seen;
  for (const fs::path& page : PagesUnder(kPages)) {
    const Result<signals::TargetReport> report = ReportOn(page, Builtin());
    ASSERT_TRUE(report) << page << ": " << report.error().ToString();
    for (const dialect::Detection& detection : report->detections) {
      seen.insert(detection.dialect->name);
      if (detection.flavour != nullptr) {
        seen.insert(detection.dialect->name + "/" + detection.flavour->name);
      }
    }
  }
  for (const dialect::Dialect& dialect : Builtin().dialects()) {
    EXPECT_TRUE(seen.contains(dialect.name)) << "no page of " << dialect.name;
    for (const dialect::Flavour& flavour : dialect.flavours) {
      EXPECT_TRUE(seen.contains(dialect.name + "/" + flavour.name))
          << "no page of " << dialect.name << ", flavour " << flavour.name;
    }
  }
}

class CapturesTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(kCaptures)) GTEST_SKIP() << "skipped: no captures beside the project";
  }
};

TEST_F(CapturesTest, AreReadAsExpected) {
  for (const fs::path& page : PagesUnder(kCaptures)) {
    ExpectPage(page, kCaptureExpectations / (page.stem().string() + ".expect"));
  }
}

TEST_F(CapturesTest, AreAllRecognised) {
  for (const fs::path& page : PagesUnder(kCaptures)) {
    const Result<signals::TargetReport> report = ReportOn(page, Builtin());
    ASSERT_TRUE(report) << page << ": " << report.error().ToString();
    EXPECT_FALSE(report->detections.empty()) << page.filename();
  }
}

TEST_F(CapturesTest, HaveNoFaultThatThePageDoesNotReallyHave) {
  for (const fs::path& page : PagesUnder(kCaptures)) {
    exposition::PageParser parser;
    ASSERT_TRUE(parser.Parse(ReadAll(page), exposition::Format::kText)) << page;
    EXPECT_EQ(parser.page().fault_count(), 0u) << page.filename();
    EXPECT_EQ(parser.page().duplicate_count(), 0u) << page.filename();
  }
}

}  // namespace
}  // namespace firstword::pages
