#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "exposition/parser.h"
#include "simulate/pages/test_pages.h"

// Pages of real engines against ours of the same version: the same families with the same
// labels, but for what the export says is not simulated. Captures lie beside the project.

namespace firstword::simulate {
namespace {

const std::filesystem::path kCaptures = FIRSTWORD_SOURCE_DIR "/../shared/captures";

// Family: the names of its labels, over all its series.
using Shape = std::map<std::string, std::set<std::string>>;

Shape ShapeOf(const std::string& text, exposition::Format format) {
  exposition::PageParser parser;
  EXPECT_TRUE(parser.Parse(text, format));
  Shape shape;
  for (const exposition::Family& family : parser.page().families()) {
    shape[std::string(family.name)];
  }
  for (const exposition::Series& series : parser.page().series()) {
    const bool declared = series.family != exposition::kNoFamily;
    std::set<std::string>& labels =
        shape[std::string(declared ? parser.page().families()[series.family].name : series.name)];
    for (const exposition::LabelView& label : series.labels) {
      if (label.name != "le") labels.emplace(label.name);
    }
  }
  return shape;
}

bool IsNotSimulated(const dialect::Export& page, const std::string& family,
                    const dialect::Version& version) {
  return std::ranges::any_of(page.not_simulated, [&](const dialect::NotSimulated& one) {
    return one.Covers(family, version);
  });
}

// Families that are there only once something happened: a page may be without.
std::set<std::string> OptionalFamilies(const dialect::PageSpec& page) {
  std::set<std::string> names;
  for (const dialect::PageFamily& family : page.families) {
    if (!family.from_first) continue;
    names.insert(family.name);
    std::string base = family.name;
    if (base.ends_with("_total")) base.resize(base.size() - std::string_view("_total").size());
    names.insert(base + "_created");
  }
  return names;
}

class SimulatedCapturesTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kCaptures)) GTEST_SKIP() << "skipped: no captures";
  }
};

TEST_F(SimulatedCapturesTest, HaveTheFamiliesAndLabelsThatWePrint) {
  // `but_for`: families of which the capture's host or build has reasons to differ.
  auto f = [](const std::string& file, const std::string& engine_and_version,
              const std::vector<std::string>& but_for = {}) {
    SCOPED_TRACE(file + " as " + engine_and_version);
    const Result<dialect::ExportChoice> choice = BuiltinExports().Choose(engine_and_version);
    ASSERT_TRUE(choice) << choice.error().ToString();
    std::ifstream in(kCaptures / file, std::ios::binary);
    ASSERT_TRUE(in);
    const Shape real = ShapeOf({std::istreambuf_iterator<char>(in), {}}, exposition::Format::kText);
    const dialect::PageSpec page = TestPage(*choice->page, choice->version);
    const Shape ours =
        ShapeOf(PrintTestPage(*choice->page, choice->version),
                page.writer == dialect::Writer::kOpenMetrics ? exposition::Format::kOpenMetrics
                                                             : exposition::Format::kText);
    std::set<std::string> may_lack = OptionalFamilies(page);
    may_lack.insert(but_for.begin(), but_for.end());
    for (const auto& [family, labels] : real) {
      if (std::ranges::find(but_for, family) != but_for.end()) continue;
      if (ours.contains(family)) {
        // A family may be announced and have no series.
        if (labels.empty() && !ours.at(family).empty()) continue;
        EXPECT_EQ(ours.at(family), labels) << family;
      } else {
        EXPECT_TRUE(IsNotSimulated(*choice->page, family, choice->version))
            << family << " is missing on our page";
      }
    }
    for (const auto& [family, labels] : ours) {
      EXPECT_TRUE(real.contains(family) || may_lack.contains(family))
          << family << " is on our page only";
    }
  };
  f("vllm-0.30.0-qwen38-preemptions-after-load.prom", "vllm:0.30");
  // A nightly build before 0.30.
  f("vllm-0.30dev-2026-09-agent-traffic-idle.prom", "vllm:0.30", {"vllm:cache_config_info"});
  f("sglang-0.4.1-docs-sample-light.prom", "sglang:0.4.1");
  f("sglang-0.4.1-docs-sample-overload.prom", "sglang:0.4.1");
  f("llamacpp-2025-04to06-full.prom", "llamacpp:5500");
  // Samples of documents, taken without GPU metrics.
  const std::vector<std::string> gpus = {"nv_energy_consumption",    "nv_gpu_memory_total_bytes",
                                         "nv_gpu_memory_used_bytes", "nv_gpu_power_limit",
                                         "nv_gpu_power_usage",       "nv_gpu_utilization"};
  f("triton-trtllm_backend-0.6.0-inflight_batcher.prom", "triton-trtllm:0.6.0", gpus);
  f("triton-trtllm_backend-0.7.0-inflight_batcher.prom", "triton-trtllm:0.7.0", gpus);
  f("dcgm-exporter-4.x-l4-idle.prom", "dcgm:4.5.3");
  f("dcgm-exporter-4.x-l40s-idle.prom", "dcgm:4.5.3");
  // Nothing computes there.
  f("nvidia_gpu_exporter-1.14-h100-idle.prom", "nvidia-gpu-exporter:1.14",
    {"nvidia_smi_compute_app_info", "nvidia_smi_compute_app_used_memory_bytes"});
  f("nvidia_gpu_exporter-1.14-h200-gpu_burn.prom", "nvidia-gpu-exporter:1.14");
}

}  // namespace
}  // namespace firstword::simulate
