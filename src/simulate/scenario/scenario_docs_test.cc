// docs/scenarios.md and the program say the same.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "simulate/scenario/scenarios.h"
#include "simulate/scenario/shapes.h"
#include "simulate/scenario/test_presets.h"

namespace firstword::simulate {
namespace {

using Words = std::set<std::string>;

const std::string& Document() {
  static const std::string text = [] {
    std::ifstream in(FIRSTWORD_SOURCE_DIR "/docs/scenarios.md");
    std::stringstream all;
    all << in.rdbuf();
    return all.str();
  }();
  return text;
}

// What stands in backticks.
Words Quoted(std::string_view text) {
  Words words;
  while (true) {
    const std::size_t begin = text.find('`');
    const std::size_t end = text.find('`', begin + 1);
    if (begin == std::string_view::npos || end == std::string_view::npos) return words;
    words.emplace(text.substr(begin + 1, end - begin - 1));
    text.remove_prefix(end + 1);
  }
}

// The rows of the table whose first line begins with `head`, cell by cell.
std::vector<std::vector<std::string>> Table(const std::string& head) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream in(Document().substr(std::min(Document().find(head), Document().size())));
  std::string line;
  for (int i = 0; std::getline(in, line) && line.starts_with('|'); ++i) {
    if (i < 2) continue;
    std::vector<std::string>& row = rows.emplace_back();
    std::istringstream cells(line.substr(2));
    for (std::string cell; std::getline(cells, cell, '|');) {
      row.push_back(cell.substr(cell.starts_with(' ') ? 1 : 0));
      while (row.back().ends_with(' ')) row.back().pop_back();
    }
  }
  EXPECT_FALSE(rows.empty()) << head;
  return rows;
}

// All keys that the first column of a table names.
Words KeysIn(const std::string& head) {
  Words keys;
  for (const std::vector<std::string>& row : Table(head)) keys.merge(Quoted(row[0]));
  return keys;
}

// The keys that the loader takes where "?" stands in the text: it lists them itself when it
// finds one that is like none of them.
Words KeysAt(std::string_view text) {
  std::string whole = "scenario: x\ntitle: y\nshape: healthy\n" + std::string(text);
  whole.replace(whole.find('?'), 1, "zzzzzzzzzzzzzzzzzzzz: 1");
  const Result<Scenario> scenario = ParseScenario(whole, "s", BuiltinPresets());
  EXPECT_FALSE(scenario);
  if (scenario || !scenario.error().hint.starts_with("keys: ")) {
    ADD_FAILURE() << (scenario ? "no fault" : scenario.error().ToString());
    return {};
  }
  Words keys;
  std::string list = scenario.error().hint.substr(6) + ", ";
  for (std::size_t end = 0; (end = list.find(", ")) != std::string::npos; list.erase(0, end + 2)) {
    keys.insert(list.substr(0, end));
  }
  return keys;
}

Words Minus(Words all, const Words& some) {
  for (const std::string& word : some) all.erase(word);
  return all;
}

const Words kOfEveryEvent = {"at", "traffic", "node", "replica", "gpu"};

TEST(ScenarioDocsTest, TablesNameTheKeysThatThereAre) {
  EXPECT_EQ(KeysIn("| `set` | meaning"), KeysAt("nodes: {name: a, set: {?}}"));
  EXPECT_EQ(KeysIn("| workload | meaning"),
            KeysAt("nodes: {name: a}\ntraffic: {workload: {like: chat, ?}}"));
  EXPECT_EQ(KeysIn("| event of a traffic | changes"),
            Minus(KeysAt("nodes: {name: a}\ntraffic: {rate: 1}\n"
                         "events: {at: 1s, traffic: a, rate: 2, ?}"),
                  kOfEveryEvent));
  EXPECT_EQ(
      KeysIn("| event of a node"),
      Minus(KeysAt("nodes: {name: a}\nevents: {at: 1s, node: a, crash: true, ?}"), kOfEveryEvent));
}

TEST(ScenarioDocsTest, EveryOtherKeyIsInTheExampleOrInTheText) {
  const Words quoted = Quoted(Document());
  for (const std::string_view at :
       {"nodes: {name: a}\n?", "nodes: {name: a, ?}", "nodes: {name: a}\ntraffic: {?}",
        "nodes: {name: a, set: {host: {?}}}", "nodes: {name: a, set: {speculation: {?}}}",
        "nodes: {name: a}\ntraffic: {workload: {like: chat, turns: {mean: 1, ?}}}"}) {
    const Words keys = KeysAt(at);
    EXPECT_GE(keys.size(), 3u) << at;
    for (const std::string& key : keys) {
      const bool in_example = Document().find(" " + key + ": ") != std::string::npos ||
                              Document().find("\n" + key + ":") != std::string::npos;
      EXPECT_TRUE(in_example || quoted.contains(key)) << key << " of " << at;
    }
  }
}

TEST(ScenarioDocsTest, TheExampleLoads) {
  const std::size_t begin = Document().find("```yaml\n") + 8;
  const std::string example = Document().substr(begin, Document().find("```", begin) - begin);
  const Result<Scenario> scenario = ParseScenario(example, "example", BuiltinPresets());
  ASSERT_TRUE(scenario) << scenario.error().ToString();
  EXPECT_EQ(scenario->events.size(), 2u);
}

TEST(ScenarioDocsTest, TheTableOfScenariosIsRight) {
  Words listed;
  for (const std::vector<std::string>& row : Table("| scenario | true shape")) {
    const std::string name = *Quoted(row[0]).begin();
    listed.insert(name);
    const Result<Scenario> scenario = FindScenario(name, BuiltinPresets());
    ASSERT_TRUE(scenario) << scenario.error().ToString();
    EXPECT_EQ(row[1], scenario->shape) << name;
    const auto minutes = static_cast<int>(Seconds(scenario->onset) / 60);
    EXPECT_EQ(row[2], minutes == 0 ? "-" : std::to_string(minutes) + "m") << name;
  }
  const auto names = BuiltinScenarioNames();
  EXPECT_EQ(listed, Words(names.begin(), names.end()));
}

TEST(ScenarioDocsTest, TheTableOfShapesIsWhole) {
  EXPECT_EQ(KeysIn("| true shape | means"), Words(ShapeNames().begin(), ShapeNames().end()));
}

TEST(ScenarioDocsTest, EveryWorkloadIsNamed) {
  const Words quoted = Quoted(Document());
  for (const std::string_view name : BuiltinPresets().workload_names()) {
    EXPECT_TRUE(quoted.contains(std::string(name))) << name;
  }
}

}  // namespace
}  // namespace firstword::simulate
