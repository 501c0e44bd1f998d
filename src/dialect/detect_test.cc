#include "dialect/detect.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "dialect/test_files.h"

namespace firstword::dialect {
namespace {

using promql::Labels;
using promql::SharedLabels;

Registry TestRegistry() {
  Registry registry = EmptyRegistry();
  for (const std::string name : {"detect_engine.yaml", "detect_gpu.yaml", "detect_gateway.yaml"}) {
    const Result<void> added = registry.AddYaml(ReadTestFile(TestDataDir() / name), name);
    EXPECT_TRUE(added) << added.error().ToString();
  }
  return registry;
}

std::vector<SharedLabels> Page(const std::vector<std::string>& selectors) {
  std::vector<SharedLabels> series;
  for (const std::string& text : selectors) {
    Labels labels;
    for (const promql::Matcher& matcher : promql::ParseSelector(text).value()) {
      labels.Set(matcher.name(), matcher.value());
    }
    series.push_back(std::make_shared<const Labels>(std::move(labels)));
  }
  return series;
}

std::string Print(const std::vector<Detection>& detections) {
  std::string out;
  for (const Detection& one : detections) {
    out += one.dialect->name + " [" + one.prefix + "] ";
    out += one.flavour != nullptr ? one.flavour->name : "-";
    out += " " + one.versions.ToString() + "\n";
    for (const std::string& sentence : one.evidence) out += "  " + sentence + "\n";
  }
  return out;
}

TEST(DetectTest, RecognisesPages) {
  const Registry registry = TestRegistry();
  auto f = [&](const std::vector<std::string>& page, const std::string& want) {
    EXPECT_EQ(Print(Detect(registry, Page(page))), want) << testing::PrintToString(page);
  };
  f({}, "");
  f({"go_goroutines"}, "");
  f({"eng:running"}, "eng [eng:] - unknown\n  eng:running is on the page\n");
  f({"wrap_eng:running{ReplicaId=\"r\"}"},
    "eng [wrap_eng:] ray unknown\n"
    "  wrap_eng:running is on the page\n"
    "  it looks like Engine under Ray\n");
  // Only labelled series: another server's page.
  f({"eng:running{server=\"x\"}"}, "");
  f({"eng:running", "eng:router_marker"}, "");
  f({"eng:swapped"},
    "eng [eng:] old unknown\n  eng:swapped is on the page\n"
    "  it looks like Engine's first generation\n");
  // Engines first, then gateways, then GPU exporters.
  f({"gpu_power", "gate_b", "eng:running"},
    "eng [eng:] - unknown\n  eng:running is on the page\n"
    "gate [] - unknown\n  gate_b is on the page\n"
    "a-gpu [] - unknown\n  gpu_power is on the page\n");
}

TEST(DetectTest, TellsTheVersionFromWhatIsThere) {
  const Registry registry = TestRegistry();
  auto f = [&](const std::vector<std::string>& page, const std::string& versions,
               const std::vector<std::string>& evidence) {
    const std::vector<Detection> detections = Detect(registry, Page(page));
    ASSERT_EQ(detections.size(), 1u);
    EXPECT_EQ(detections[0].versions.ToString(), versions) << testing::PrintToString(page);
    std::vector<std::string> got = detections[0].evidence;
    got.pop_back();  // "... is on the page"
    EXPECT_EQ(got, evidence);
  };
  f({"eng:kv_usage"}, "2.0 or later", {"eng:kv_usage is there since 2.0"});
  f({"eng:gpu_kv_usage"}, "up to 2.2", {"eng:gpu_kv_usage is there up to 2.2"});
  f({"eng:gpu_kv_usage", "eng:kv_usage"}, "2.0 to 2.2",
    {"eng:kv_usage is there since 2.0", "eng:gpu_kv_usage is there up to 2.2"});
  f({"eng:hint_name"}, "1.5 to 1.9",
    {"eng:hint_name is there since 1.5", "eng:hint_name is there up to 1.9"});
  f({"eng:hint_name", "eng:no_hint"}, "unknown", {});
  f({"eng:ttft_v3_count"}, "3.0rc1 or later", {"eng:ttft_v3_count is there since 3.0rc1"});
  f({"eng:ttft_v3_bucket"}, "3.0rc1 or later", {"eng:ttft_v3_bucket is there since 3.0rc1"});
  f({"eng:waiting_guarded"}, "unknown", {});
  f({"eng:waiting_guarded", "eng:guard_name"}, "9.0 or later",
    {"eng:waiting_guarded is there since 9.0"});
  // A contradiction: the new name proves the build, the old one lingers.
  f({"eng:kv_usage", "eng:ancient_preemptions", "eng:gpu_kv_usage"}, "2.0 to 2.2",
    {"eng:kv_usage is there since 2.0", "eng:gpu_kv_usage is there up to 2.2",
     "eng:ancient_preemptions should have gone after 0.5, yet eng:kv_usage came with 2.0: "
     "the older name does not count"});
}

}  // namespace
}  // namespace firstword::dialect
