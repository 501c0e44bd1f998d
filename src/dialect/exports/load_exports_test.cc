#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "dialect/exports/exports.h"

namespace firstword::dialect {
namespace {

// A sound file around one export's lines, which begin at line 4 of the file.
std::string File(const std::string& rest) {
  return "dialect: toy\nkind: engine\nexports:\n  - engine: toy\n    title: Toy\n"
         "    versions: [\"1.0\", \"2.0\"]\n    writer: python\n" +
         rest;
}

std::string Family(const std::string& keys) {
  return File("    buckets: {short: [1, 2]}\n    families:\n      - {" + keys + "}\n");
}

TEST(LoadExportsTest, ReadsEveryKey) {
  const Result<std::vector<Export>> exports = LoadExports(
      File("    path: /stats\n    port: 8080\n    gauges_with_output: true\n"
           "    labels: {model: $model, rank: {value: r-$rank, since: \"2.0\"}, gone: [{value: a, "
           "until: \"1.5\"}]}\n"
           "    buckets:\n      fixed: [0.5, 1]\n      grown: {one_two_five: max_model_len}\n"
           "      moved: [{bounds: [1], until: \"1.5\"}, {bounds: [2], since: \"2.0\"}]\n"
           "    rename: [{from: \"toy:\", to: toy_}]\n"
           "    families:\n"
           "      - {name: \"toy:running\", type: gauge, help: Running, value: running}\n"
           "      - name: toy_ended_total\n        type: counter\n        created: false\n"
           "        from_first: true\n        per: replica\n        labels: {}\n"
           "        extra_labels: {a: b}\n        since: \"1.5\"\n"
           "        rows:\n          - {labels: {why: stop}, value: finished.stop}\n"
           "          - {labels: {why: none}, value: 0, until: \"1.9\"}\n"
           "      - {name: toy_wait_ms, type: histogram, unit: ms, value: queue, buckets: moved}\n"
           "      - {name: toy_lora*, not_simulated: only with LoRA, since: \"2.0\"}\n"),
      "toy.yaml");
  ASSERT_TRUE(exports) << exports.error().ToString();
  ASSERT_EQ(exports->size(), 1u);
  const Export& toy = exports->front();
  EXPECT_EQ(toy.dialect, "toy");
  EXPECT_EQ(toy.path, "/stats");
  EXPECT_EQ(toy.port, 8080);
  EXPECT_TRUE(toy.gauges_with_output);
  ASSERT_EQ(toy.labels.size(), 3u);
  ASSERT_EQ(toy.labels[1].values.front().value.pieces.size(), 1u);
  EXPECT_EQ(toy.labels[1].values.front().value.pieces[0].text, "r-");
  EXPECT_EQ(toy.labels[1].values.front().value.pieces[0].variable, Variable::kRank);
  ASSERT_EQ(toy.families.size(), 3u);
  EXPECT_EQ(toy.families[0].per, Per::kRank);
  EXPECT_EQ(toy.families[1].per, Per::kReplica);
  ASSERT_EQ(toy.families[1].rows.size(), 2u);
  EXPECT_EQ(toy.families[1].rows[0].value.quantity, "finished.stop");
  EXPECT_EQ(toy.families[1].rows[1].value.quantity, "");
  EXPECT_EQ(toy.families[2].buckets.size(), 2u);
  ASSERT_EQ(toy.not_simulated.size(), 1u);
  EXPECT_TRUE(toy.not_simulated[0].Covers("toy_lora_info", *Version::Parse("2.1")));
  EXPECT_FALSE(toy.not_simulated[0].Covers("toy_lora_info", *Version::Parse("1.0")));
  EXPECT_FALSE(toy.not_simulated[0].Covers("toy_other", *Version::Parse("2.1")));
}

TEST(LoadExportsTest, LooksAtItsOwnSectionOnly) {
  auto f = [](const std::string& yaml, std::size_t want) {
    const Result<std::vector<Export>> exports = LoadExports(yaml, "toy.yaml");
    ASSERT_TRUE(exports) << exports.error().ToString();
    EXPECT_EQ(exports->size(), want) << yaml;
  };
  f("", 0);
  f("dialect: toy\nsignals: {llm:none: [}\n", 0);
  const std::string families =
      "    families:\n      - {name: a, type: gauge, value: 1}\n# exports: end\n";
  f("signals: {}\n" + File(families) + "faults:\n  - code: [\n", 1);
  f("signals: {}\n" + File(families) + "\n", 1);
}

TEST(LoadExportsTest, GpuExportersCountByGpu) {
  const Result<std::vector<Export>> exports = LoadExports(
      "dialect: toy\nkind: gpu\nexports:\n- {engine: e, title: E, versions: 1, writer: go,\n"
      "   families: [{name: a, type: gauge, value: gpu.util}]}\n",
      "toy.yaml");
  ASSERT_TRUE(exports) << exports.error().ToString();
  EXPECT_EQ(exports->front().families.front().per, Per::kGpu);
}

TEST(LoadExportsTest, SaysWhatIsWrongAndWhere) {
  auto f = [](const std::string& yaml, const std::string& want) {
    const Result<std::vector<Export>> exports = LoadExports(yaml, "toy.yaml");
    ASSERT_FALSE(exports) << yaml;
    EXPECT_EQ(exports.error().ToString(), want) << yaml;
  };
  f("exports: []\n", "toy.yaml:1:1: a dialect needs the key \"dialect\"");
  f("dialect: toy\nexports: []\n",
    "toy.yaml:2:10: \"exports\" is an empty list (leave the key out instead)");
  f("dialect: toy\nexports: {}\n", "toy.yaml:2:10: an export needs the key \"engine\"");
  f(File("    families: []\n"),
    "toy.yaml:8:15: \"families\" is an empty list (leave the key out instead)");
  f(File("    familes: []\n"),
    "toy.yaml:8:5: an export has no key \"familes\" (did you mean \"families\"?)");
  f("dialect: toy\nexports:\n- {engine: a, title: A, versions: [\"2\", \"1\"], writer: go}\n",
    "toy.yaml:3:41: version 1 does not come after 2 (list the oldest first)");
  f("dialect: toy\nexports:\n- {engine: a, title: A, versions: new, writer: go}\n",
    "toy.yaml:3:35: \"new\" is no version (write it as 0.9.2, 0.4.3.post3 or 0.20.2rc1)");
  f("dialect: toy\nexports:\n- {engine: a, title: A, versions: 1, writer: rust}\n",
    "toy.yaml:3:46: \"writer\" must be python or python-multiprocess or openmetrics or cpp or go "
    "or plain, found \"rust\"");
  f(File("    port: 99999\n"), "toy.yaml:8:11: \"port\" must be a whole number from 1 to 65535");
  f(File("    path: metrics\n"), "toy.yaml:8:11: \"path\" must begin with /");
  f(File("    labels: {model: $modle}\n"),
    "toy.yaml:8:21: there is no variable \"$modle\" (did you mean \"model\"?)");
  f(File("    labels: {le: a}\n"),
    "toy.yaml:8:14: \"le\" cannot be a label (bounds come from \"buckets\")");
  f(File("    labels: {a-b: a}\n"),
    "toy.yaml:8:14: \"a-b\" cannot be a label (use letters, digits and _)");
  f(File("    labels: {a: {since: \"1\"}}\n"),
    "toy.yaml:8:17: label \"a\" needs the key \"value\"");
  f(File("    buckets: {b: [1, 3, 2]}\n"),
    "toy.yaml:8:25: the bound 2 does not lie above 3 (bounds must ascend)");
  f(File("    buckets: {b: [1, inf]}\n"),
    "toy.yaml:8:22: a bound must be finite (+Inf is added to every histogram)");
  f(File("    buckets: {b: [{since: \"1\"}]}\n"),
    "toy.yaml:8:19: buckets \"b\" needs either \"bounds\" or \"one_two_five\"");
  f(File("    buckets: {b: {one_two_five: length}}\n"),
    "toy.yaml:8:33: \"one_two_five\" must be max_model_len or max_num_seqs or "
    "max_num_batched_tokens, found \"length\"");
  f(Family("name: a"), "toy.yaml:10:9: a family needs the key \"type\"");
  f(Family("name: a, type: gauge"),
    "toy.yaml:10:9: family \"a\" has no value (add \"value\" or \"rows\", or \"not_simulated\" "
    "with a reason)");
  f(Family("name: a b, type: gauge, value: 1"),
    "toy.yaml:10:16: \"a b\" cannot be the name of a family (use letters, digits, _ and :)");
  f(Family("name: a*, type: gauge, value: 1"),
    "toy.yaml:10:16: \"a*\" cannot be the name of a family (use letters, digits, _ and :)");
  f(Family("name: a, type: meter, value: 1"),
    "toy.yaml:10:25: \"type\" must be counter or gauge or histogram or summary or untyped, found "
    "\"meter\"");
  f(Family("name: a, type: gauge, per: host, value: 1"),
    "toy.yaml:10:37: \"per\" must be rank or replica or gpu, found \"host\"");
  f(Family("name: a, type: gauge, unit: min, value: 1"),
    "toy.yaml:10:38: \"min\" is no unit (known units: s ms us ns ratio percent bytes KiB MiB GiB "
    "MB Hz kHz MHz W mW J mJ celsius tokens requests blocks count code bool time time_ms)");
  f(Family("name: a, type: histogram, value: e2e"),
    "toy.yaml:10:9: histogram \"a\" needs the key \"buckets\"");
  f(Family("name: a, type: gauge, value: 1, buckets: short"),
    "toy.yaml:10:51: a gauge has no \"buckets\"");
  f(Family("name: a, type: histogram, value: e2e, buckets: shirt"),
    "toy.yaml:10:57: no \"buckets\" are named \"shirt\" (did you mean \"short\"?)");
  f(Family("name: a, type: histogram, value: 3, buckets: short"),
    "toy.yaml:10:43: a histogram cannot be a number (name a quantity, or write 0 for one without "
    "observations)");
  f(Family("name: a, type: gauge, rows: [{labels: {b: c}}]"),
    "toy.yaml:10:39: a row needs the key \"value\", or its family does");
  f(Family("name: a, type: gauge, value: 1, since: \"2\", until: \"1\""),
    "toy.yaml:10:61: \"until\" 1 is before \"since\" 2 (both ends belong to the range)");
  f(Family("name: a, type: gauge, value: 1, since: soon"),
    "toy.yaml:10:49: \"since\" is no version: \"soon\" (write it as 0.9.2, 0.4.3.post3 or "
    "0.20.2rc1)");
  f(Family("name: a, type: gauge, value: 1}\n      - {name: a, type: gauge, value: 1"),
    "toy.yaml:11:9: family \"a\" stands in line 10 already");
  f(Family("name: a, type: gauge, not_simulated: x"),
    "toy.yaml:10:19: a family that is not simulated has no key \"type\" (known keys: name, "
    "not_simulated, since, until)");
  f(Family("name: a, type: gauge, value: 1}\n  - {engine: toy, title: T, versions: 1, writer: go, "
           "families: {name: a, type: gauge, value: 1}"),
    "toy.yaml:11:5: engine \"toy\" stands here twice");
}

}  // namespace
}  // namespace firstword::dialect
