#include "cli/inspect/inspect_text.h"

#include <gtest/gtest.h>

#include "cli/golden.h"
#include "cli/inspect/inspect_json.h"
#include "cli/options/read_file.h"

namespace firstword::cli {
namespace {

// Pages of an engine of the tests' own, so that the text here changes only when the way
// it is printed does.
class InspectTextTest : public testing::Test {
 protected:
  void SetUp() override {
    auto loaded = dialect::Registry::Load(TestFile("dialects"));
    ASSERT_TRUE(loaded) << loaded.error().ToString();
    registry_.emplace(std::move(*loaded));
  }

  Inspection Look(std::initializer_list<const char*> files) {
    std::vector<Scrape> scrapes;
    TimestampMs time = 1'790'000'000'000;
    for (const char* file : files) {
      FetchedPage page;
      page.name = page.instance = file;
      page.body = ReadFile(TestFile(file), 1 << 20).value();
      scrapes.push_back({time += 30'000, std::move(page)});
    }
    Inspection inspection = Inspect(scrapes, *registry_, {}).value();
    // What signals says in words is tested there.
    inspection.headline = {signals::Headline::State::kWaiting,
                           "users are waiting: 15 queued, TTFT p99 at least 10 s, of which queue "
                           "89 %"};
    inspection.report.findings = {
        {.code = "aborts_uncounted",
         .severity = signals::Finding::Severity::kWarning,
         .text = "202 requests got a first token and 190 finished; the 12 between them ended in "
                 "a way that the engine does not count.",
         .series = {"toy_ttft_seconds_count", "toy_requests_total"},
         .signal = "llm:requests_total",
         .source = "toys/toy#1"},
        {.code = "single_replica", .text = "Only one.", .series = {}, .signal = {}, .source = {}}};
    return inspection;
  }

  std::optional<dialect::Registry> registry_;
};

TEST_F(InspectTextTest, OnePageTellsOfTheTimeSinceTheStart) {
  const Inspection inspection = Look({"toy_before.prom"});
  ExpectGolden("inspect_one.txt", InspectText(inspection, Paint(false), {}));
  ExpectGolden("inspect_one.json", InspectJson(inspection));
}

TEST_F(InspectTextTest, TwoPagesTellOfTheTimeBetween) {
  const Inspection inspection = Look({"toy_before.prom", "toy_after.prom"});
  ExpectGolden("inspect_two.txt", InspectText(inspection, Paint(false), {.why = true}));
  ExpectGolden("inspect_two.json", InspectJson(inspection));
  ExpectGolden("inspect_two_80_ascii.txt",
               InspectText(inspection, Paint(false), {.width = 80, .unicode = false}));
}

TEST_F(InspectTextTest, GpusHaveARowEach) {
  Inspection inspection = Look({"toy_gpus.prom"});
  inspection.headline = {signals::Headline::State::kUnknown, "a page of GPUs"};
  inspection.report.findings.clear();
  ExpectGolden("inspect_gpus.txt", InspectText(inspection, Paint(false), {}));
}

TEST_F(InspectTextTest, ColourOnlyWhenAsked) {
  const Inspection inspection = Look({"toy_before.prom"});
  EXPECT_EQ(InspectText(inspection, Paint(false), {}).find('\x1b'), std::string::npos);
  EXPECT_NE(InspectText(inspection, Paint(true), {}).find("\x1b[1;31musers are waiting"),
            std::string::npos);
}

TEST_F(InspectTextTest, NamesFormatFaults) {
  const Inspection inspection = Look({"faulty.prom"});
  const std::string text = InspectText(inspection, Paint(false), {});
  EXPECT_NE(text.find("Format faults, 2\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  3:"), std::string::npos) << text;
}

}  // namespace
}  // namespace firstword::cli
