#include "simulate/pages/page_writer.h"

#include <gtest/gtest.h>

#include <string>

#include "simulate/pages/test_pages.h"

namespace firstword::simulate {
namespace {

struct Toy {
  std::string writer = "python";
  std::string families;
  std::string more;  // keys of the export
};

dialect::PageSpec PageOf(const Toy& toy) {
  dialect::ExportCatalog catalog;
  const Result<void> added = catalog.AddYaml(
      "dialect: toy\nexports:\n- engine: toy\n  title: Toy\n  versions: \"1.0\"\n  writer: " +
          toy.writer + "\n" + toy.more + "  families:\n" + toy.families,
      "toy.yaml");
  EXPECT_TRUE(added) << added.error().ToString();
  const dialect::Export& page = *catalog.Find("toy");
  return TestPage(page, page.versions.back());
}

std::string Print(const Toy& toy, std::uint32_t ranks = 1) {
  const dialect::PageSpec page = PageOf(toy);
  Recorder recorder(page, TestFacts(page, ranks));
  TellHistory(recorder, true);
  const std::vector<GpuReading> gpus = TestGpus();
  return WriteMetricsPage(page, {.recorder = &recorder, .gpus = gpus, .now_unix_s = kTestNow});
}

constexpr const char* kHistogram =
    "  - {name: wait, type: histogram, help: H, value: queue, buckets: [0.02, 1], "
    "labels: {a: x, z: y}}\n";

TEST(PageWriterTest, OrdersAHistogramAsTheWriterDoes) {
  auto f = [](const std::string& writer, const std::string& want) {
    EXPECT_EQ(Print({.writer = writer, .families = kHistogram}), want) << writer;
  };
  f("python",
    "# HELP wait H\n# TYPE wait histogram\n"
    "wait_bucket{a=\"x\",le=\"0.02\",z=\"y\"} 4.0\nwait_bucket{a=\"x\",le=\"1.0\",z=\"y\"} 4.0\n"
    "wait_bucket{a=\"x\",le=\"+Inf\",z=\"y\"} 4.0\n"
    "wait_count{a=\"x\",z=\"y\"} 4.0\nwait_sum{a=\"x\",z=\"y\"} 0.08\n"
    "# HELP wait_created H\n# TYPE wait_created gauge\n"
    "wait_created{a=\"x\",z=\"y\"} 1.70000000025e+09\n");
  f("python-multiprocess",
    "# HELP wait H\n# TYPE wait histogram\nwait_sum{a=\"x\",z=\"y\"} 0.08\n"
    "wait_bucket{a=\"x\",le=\"0.02\",z=\"y\"} 4.0\nwait_bucket{a=\"x\",le=\"1.0\",z=\"y\"} 4.0\n"
    "wait_bucket{a=\"x\",le=\"+Inf\",z=\"y\"} 4.0\nwait_count{a=\"x\",z=\"y\"} 4.0\n");
  f("openmetrics",
    "# HELP wait H\n# TYPE wait histogram\n"
    "wait_sum{a=\"x\",z=\"y\"} 0.08\nwait_count{a=\"x\",z=\"y\"} 4\n"
    "wait_bucket{a=\"x\",z=\"y\",le=\"0.02\"} 4\nwait_bucket{a=\"x\",z=\"y\",le=\"1.0\"} 4\n"
    "wait_bucket{a=\"x\",z=\"y\",le=\"+Inf\"} 4\n# EOF\n");
  f("cpp",
    "# HELP wait H\n# TYPE wait histogram\n"
    "wait_count{a=\"x\",z=\"y\"} 4\nwait_sum{a=\"x\",z=\"y\"} 0.08\n"
    "wait_bucket{a=\"x\",z=\"y\",le=\"0.02\"} 4\nwait_bucket{a=\"x\",z=\"y\",le=\"1\"} 4\n"
    "wait_bucket{a=\"x\",z=\"y\",le=\"+Inf\"} 4\n");
  f("go",
    "# HELP wait H\n# TYPE wait histogram\n"
    "wait_bucket{a=\"x\",z=\"y\",le=\"0.02\"} 4\nwait_bucket{a=\"x\",z=\"y\",le=\"1\"} 4\n"
    "wait_bucket{a=\"x\",z=\"y\",le=\"+Inf\"} 4\n"
    "wait_sum{a=\"x\",z=\"y\"} 0.08\nwait_count{a=\"x\",z=\"y\"} 4\n");
}

TEST(PageWriterTest, WritesRowsForRanksReplicaAndGpus) {
  auto f = [](const std::string& family, const std::string& want) {
    EXPECT_EQ(Print({.writer = "go", .families = "  - {" + family + "}\n"}, 2), want);
  };
  f("name: a, type: gauge, value: running, labels: {rank: $rank}",
    "# TYPE a gauge\na{rank=\"0\"} 4\na{rank=\"1\"} 0\n");
  f("name: a, type: gauge, value: running, per: replica", "# TYPE a gauge\na 4\n");
  // Without a label that tells ranks apart.
  f("name: a, type: gauge, value: running", "# TYPE a gauge\na 4\n");
  f("name: a, type: gauge, value: kv.usage", "# TYPE a gauge\na 0.125\n");
  f("name: a, type: gauge, value: max_num_seqs", "# TYPE a gauge\na 256\n");
  f("name: a, type: gauge, value: gpu.power, per: gpu, unit: mW, labels: {gpu: $gpu, d: "
    "$gpu_device}",
    "# TYPE a gauge\na{d=\"nvidia0\",gpu=\"0\"} 612345\na{d=\"nvidia1\",gpu=\"1\"} 612345\n");
  f("name: a, type: summary, value: e2e, unit: ms", "# TYPE a summary\na_sum 9184\na_count 4\n");
  f("name: a, type: untyped, value: -3", "# TYPE a untyped\na -3\n");
}

TEST(PageWriterTest, LeavesOutWhatHasNoValue) {
  auto f = [](const std::string& family, const std::string& want) {
    EXPECT_EQ(Print({.writer = "python", .families = "  - {" + family + "}\n"}), want);
  };
  f("name: a_total, type: counter, from_first: true, created: false, rows: [{labels: {b: c}, "
    "value: finished.stop}, {labels: {b: d}, value: finished.error}]",
    "# TYPE a_total counter\na_total{b=\"c\"} 3.0\n");
  f("name: a_total, type: counter, from_first: true, value: 0", "");
  f("name: a, type: histogram, from_first: true, value: 0, buckets: [1]", "");
  // Set once, a gauge stays.
  f("name: a, type: gauge, from_first: true, value: waiting.deferred", "# TYPE a gauge\na 0.0\n");
  f("name: a, type: gauge, value: no_such_thing", "");
  f("name: a, type: gauge, value: gpu.power", "");
  f("name: a, type: histogram, value: no_such_thing, buckets: [1]", "");
}

TEST(PageWriterTest, NamesFamiliesAsTheFormatDoes) {
  const std::string family = "  - {name: a_total, type: counter, help: 'A \"b\" \\c', value: 2}\n";
  EXPECT_EQ(Print({.writer = "openmetrics", .families = family}),
            "# HELP a A \\\"b\\\" \\\\c\n# TYPE a counter\na_total 2\n# EOF\n");
  EXPECT_EQ(Print({.writer = "python", .families = family}),
            "# HELP a_total A \"b\" \\\\c\n# TYPE a_total counter\na_total 2.0\n"
            "# HELP a_created A \"b\" \\\\c\n# TYPE a_created gauge\n"
            "a_created 1.70000000025e+09\n");
}

TEST(PageWriterTest, FillsInVariables) {
  auto f = [](const std::string& text, const std::string& want) {
    EXPECT_EQ(
        Print({.writer = "go",
               .families = "  - {name: a, type: gauge, per: replica, value: 1, labels: {l: '" +
                           text + "'}}\n"}),
        "# TYPE a gauge\na{l=\"" + want + "\"} 1\n");
  };
  f("plain", "plain");
  f("", "");
  f("say \"hi\" \\", "say \\\"hi\\\" \\\\");
  f("$model/$rank-$version", "acme/writer-8b/0-1.0");
  f("$block_size $kv_blocks $kv_tokens", "16 4000 64000");
  f("$max_model_len $max_num_seqs $max_concurrency", "16384 256 3.90625");
  f("$gpu_memory_utilization $prefix_caching", "0.9 True");
  f("$instance $worker $host", "replica-0 127.0.0.1:8000 node-a");
  f("$gpu $gpu_uuid $gpu_device", "0 GPU-00000000-0000-0000-0000-000000000001 nvidia0");
  f("$gpu_model $pci_bus_id $driver", "NVIDIA H100 80GB HBM3 00000000:1B:00.0 570.86.15");
}

TEST(PageWriterTest, RenamesTheFinishedText) {
  EXPECT_EQ(Print({.writer = "go",
                   .families = "  - {name: \"toy:a\", type: gauge, help: H, value: 1}\n",
                   .more = "  rename: [{from: \"toy:\", to: toy_}]\n"}),
            "# HELP toy_a H\n# TYPE toy_a gauge\ntoy_a 1\n");
}

TEST(PageWriterTest, GpuPagesNeedNoReplica) {
  std::vector<GpuReading> gpus = TestGpus();
  gpus[1].power_watts.reset();
  const dialect::PageSpec page = PageOf(
      {.writer = "plain",
       .families = "  - {name: p, type: gauge, per: gpu, value: gpu.power, labels: {gpu: $gpu, h: "
                   "$host}}\n"
                   "  - {name: t, type: gauge, per: replica, value: now}\n"
                   "  - {name: r, type: gauge, per: replica, value: running}\n"});
  EXPECT_EQ(WriteGpuPage(page, gpus, 12),
            "# TYPE p gauge\np{gpu=\"0\",h=\"node-a\"} 612.345\n# TYPE t gauge\nt 12\n");
}

TEST(PageWriterTest, TellsTheContentType) {
  EXPECT_EQ(ContentTypeOf(dialect::Writer::kPython), "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_EQ(ContentTypeOf(dialect::Writer::kOpenMetrics),
            "application/openmetrics-text; version=1.0.0; charset=utf-8");
}

}  // namespace
}  // namespace firstword::simulate
