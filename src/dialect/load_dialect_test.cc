#include "dialect/load_dialect.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "dialect/test_files.h"

namespace firstword::dialect {
namespace {

// Five lines that are sound; what a case adds begins on line 6.
constexpr std::string_view kHead =
    "dialect: eng\n"
    "title: Engine\n"
    "kind: engine\n"
    "detect: running\n"
    "prefixes: [\"eng:\"]\n";

class LoadDialectTest : public testing::Test {
 protected:
  std::string Load(const std::string& yaml) {
    const Result<Dialect> dialect = LoadDialect(yaml, "d.yaml", registry_.catalog());
    return dialect ? "good" : dialect.error().ToString();
  }
  // The fault of a dialect with this addition (and without signals of its own).
  std::string WithTop(const std::string& text) {
    return Load(std::string(kHead) + text + "\nsignals: {}\n");
  }
  // The fault of one alternative, which begins at 7:6.
  std::string WithAlternative(const std::string& signal, const std::string& text) {
    return Load(std::string(kHead) + "signals: {\n \"" + signal + "\":\n  [ " + text + "]}\n");
  }

  const Registry registry_ = EmptyRegistry();
};

TEST_F(LoadDialectTest, TopLevelFaults) {
  auto f = [&](const std::string& text, std::string_view want) {
    EXPECT_EQ(WithTop(text), want) << text;
  };
  f("", "good");
  f("colour: red",
    "d.yaml:6:1: a dialect has no key \"colour\" (known keys: dialect, title, kind, backend, "
    "precedence, prefixes, detect, detect_unless, replica_from, labels, flavours, versions, "
    "signals, absent, faults)");
  f("flavors: []", "d.yaml:6:1: a dialect has no key \"flavors\" (did you mean \"flavours\"?)");
  f("title: Again", "d.yaml:6:1: key \"title\" stands here twice (keep one of the two)");
  f("precedence: high", "d.yaml:6:13: \"precedence\" must be a number, found \"high\"");
  f("precedence: 1.5", "d.yaml:6:13: \"precedence\" must be a whole number");
  f("detect_unless: []",
    "d.yaml:6:16: \"detect_unless\" is an empty list (leave the key out instead)");
  f("replica_from: {a: b}", "d.yaml:6:15: \"replica_from\" must be a text, found a map");
  f("backend: ''", "d.yaml:6:10: \"backend\" must be a text, found an empty one");
  f("absent: {llm:nothing: because}",
    "d.yaml:6:10: dead signal: \"llm:nothing\" is not in the catalog (signals.yaml lists all; "
    "your own signals.yaml may add some)");
  f("absent: {llm:sleeping: [a]}",
    "d.yaml:6:24: a reason for absence must be a text, found a list");
}

TEST_F(LoadDialectTest, WholeFileFaults) {
  auto f = [&](const std::string& yaml, std::string_view want) {
    EXPECT_EQ(Load(yaml), want) << yaml;
  };
  f("[]", "d.yaml:1:1: a dialect must be a map of keys and values, found a list");
  f("title: X", "d.yaml:1:1: a dialect needs the key \"dialect\"");
  f("dialect: Eng\ntitle: X\nkind: gpu\ndetect: a\nsignals: {}",
    "d.yaml:1:10: bad dialect name \"Eng\" (use lower case letters, digits and -)");
  f("dialect: e\ntitle: X\nkind: gpu\nsignals: {}",
    "d.yaml:1:1: a dialect needs the key \"detect\"");
  f("dialect: e\ntitle: X\nkind: gpu\ndetect: a",
    "d.yaml:1:1: a dialect needs the key \"signals\"");
  f("dialect: e\ntitle: X\nkind: gpu\ndetect: ~a\nsignals: {}",
    "d.yaml:4:9: \"~a\" begins with ~ but the dialect has no prefixes (add \"prefixes\" or write "
    "the name out)");
  f("dialect: e\ntitle: X\nkind: gpu\ndetect: a\nprefixes: [a, a]\nsignals: {}",
    "d.yaml:5:15: prefix \"a\" stands here twice");
  f("a: b\n---\nc: d\n",
    "d.yaml:3:1: a second document starts here (give each document its own file)");
  f("a: &x 1\nb: *x\n", "d.yaml:2:4: aliases (*name) are not supported here (write the value out)");
  f("a: [1", "d.yaml:1:1: end of sequence flow not found (the file is not sound YAML)");
  f(std::string(40, '[') + std::string(40, ']'), "d.yaml:1:25: nested deeper than 24 levels");
  f("[a, b]: c\n", "d.yaml:1:1: a key must be a plain word");
  f(std::string((1 << 20) + 1, ' '),
    "d.yaml:1:1: 1048577 bytes; a file may have 1048576 (split the file)");
}

TEST_F(LoadDialectTest, SelectorFaults) {
  auto f = [&](const std::string& selector, std::string_view want) {
    EXPECT_EQ(WithTop("detect_unless: '" + selector + "'"), want) << selector;
  };
  f("~*{server=\"\"}", "good");
  f("a{b",
    "d.yaml:6:16: bad selector \"a{b\": column 4: expected one of = != =~ !~, found the end");
  f("a{b=~\"(\"}",
    "d.yaml:6:16: bad selector \"a{b=~\"(\"}\": bad regular expression \"(\": missing ): (");
  f("{b=\"c\"}",
    "d.yaml:6:16: bad selector \"{b=\"c\"}\": column 1: a selector needs a metric name");
  f("a*b", "d.yaml:6:16: bad selector \"a*b\": column 2: '*' cannot stand in a metric name");
  f("~", "d.yaml:6:16: bad selector \"~\": column 1: a selector needs a metric name");
}

TEST_F(LoadDialectTest, LabelFaults) {
  auto f = [&](const std::string& rule, std::string_view want) {
    EXPECT_EQ(WithTop("labels: {a: " + rule + "}"), want) << rule;
  };
  f("copies", "good");
  f("{to: outcome, table: {x: y}, otherwise: other, as: address}", "good");
  f("copy", "d.yaml:6:13: a label rule without \"to\" must be copies or shares, found \"copy\"");
  f("{to: modle}", "d.yaml:6:18: no canonical label is named \"modle\" (did you mean \"model\"?)");
  f("{table: {x: y}}", "d.yaml:6:13: a label rule needs the key \"to\"");
  f("{to: model, table: {}}", "d.yaml:6:32: \"table\" is empty (leave the key out instead)");
  f("{to: model, as: url}", "d.yaml:6:29: \"as\" must be address, found \"url\"");
}

TEST_F(LoadDialectTest, AlternativeFaults) {
  auto f = [&](const std::string& signal, const std::string& text, std::string_view want) {
    EXPECT_EQ(WithAlternative(signal, text), want) << text;
  };
  const std::string gauge = "llm:kv_cache_usage_ratio";
  const std::string histogram = "llm:ttft_seconds";
  f(gauge, "'~a'", "good");
  f(gauge, "{series: a, unit: percent, since: 0.10, until: '0.11', note: n, guard: '~*'}", "good");
  f("llm:kv_usage", "a",
    "d.yaml:7:2: dead signal: \"llm:kv_usage\" is not in the catalog (signals.yaml "
    "lists all; your own signals.yaml may add some)");
  f(gauge, "",
    "d.yaml:8:3: \"llm:kv_cache_usage_ratio\" is an empty list (leave the key out instead)");
  f(gauge, "{serie: a}",
    "d.yaml:8:6: an alternative has no key \"serie\" (did you mean \"series\"?)");
  f(gauge, "{unit: ratio}",
    "d.yaml:8:5: an alternative needs a source (one of series, add, subtract, multiply, divide, "
    "union, histogram, sum and count)");
  f(gauge, "{series: a, add: [b]}",
    "d.yaml:8:5: an alternative has one form, found \"series\" and \"add\" (make two alternatives "
    "of it)");
  f(gauge, "{add: [b], unit: percent}",
    "d.yaml:8:16: an alternative with \"add\" has no key \"unit\" (did you mean \"until\"?)");
  f(gauge, "{add: []}", "d.yaml:8:11: \"add\" is an empty list (leave the key out instead)");
  f(gauge, "{subtract: [b]}", "d.yaml:8:16: \"subtract\" needs 2 parts");
  f(gauge, "{divide: [a, b, c]}", "d.yaml:8:14: \"divide\" takes two parts");
  f(gauge, "{series: a*}",
    "d.yaml:8:14: \"a*\" ends in *, which only a condition may (name one series)");
  f(gauge, "{series: a, unit: MiB}",
    "d.yaml:8:23: unit \"MiB\" does not convert to \"ratio\", the unit of "
    "llm:kv_cache_usage_ratio (give the unit the engine exports, or map another signal)");
  f(gauge, "{divide: [{series: a, unit: MiB}, {series: b, unit: GiB}]}", "good");
  f(gauge, "{series: a, optional: true}", "d.yaml:8:27: only a part of \"add\" can be optional");
  f(gauge, "{series: a, bag: maybe}", "d.yaml:8:22: \"bag\" must be true or false");
  f(gauge, "{series: a, ignore: [x]}",
    "d.yaml:8:26: a value of \"ignore\" must be a number, found \"x\"");
  f(gauge, "{series: a, constants: {outcome: x}}",
    "d.yaml:8:29: llm:kv_cache_usage_ratio has no label \"outcome\" (its labels: backend, model, "
    "rank, replica, instance, job)");
  f(gauge, "{series: a, since: newest}",
    "d.yaml:8:24: \"since\" is no version: \"newest\" (write it as 0.9.2, 0.4.3.post3 or "
    "0.20.2rc1)");
  f(gauge, "{series: a, since: 0.9, until: 0.8}",
    "d.yaml:8:36: \"until\" 0.8 is before \"since\" 0.9 (both ends belong to the range)");
  f(gauge, "{histogram: a, population: all}",
    "d.yaml:8:5: llm:kv_cache_usage_ratio is a gauge, not a histogram (write {series: name})");
  f(histogram, "{histogram: a, population: all}", "good");
  f(histogram, "{sum: a, population: all}", "good");
  f(histogram, "a",
    "d.yaml:8:5: llm:ttft_seconds is a histogram (write {histogram: family} or {sum: ..., count: "
    "...})");
  f(histogram, "{series: a}",
    "d.yaml:8:5: llm:ttft_seconds is a histogram (write {histogram: family} or {sum: ..., count: "
    "...})");
  f(histogram, "{histogram: a}",
    "d.yaml:8:5: a histogram needs its \"population\": which requests it covers (one of all, "
    "finished, succeeded, first_token, streaming, nonstreaming, steps, unknown; \"unknown\" is "
    "honest)");
  f(histogram, "{histogram: a, population: some}",
    "d.yaml:8:32: unknown population \"some\" (one of all, finished, succeeded, first_token, "
    "streaming, nonstreaming, steps, unknown)");
  f(histogram, "{histogram: a, population: all, zero_when: b}",
    "d.yaml:8:37: a histogram has no key \"zero_when\" (known keys: histogram, unit, labels, "
    "constants, bag, population, guard, since, until, note)");
  f(histogram, "{sum: {series: a, unit: percent}, population: all}",
    "d.yaml:8:29: unit \"percent\" does not convert to \"s\", the unit of llm:ttft_seconds (give "
    "the unit the engine exports, or map another signal)");
  f(histogram, "{sum: {unit: ms}, population: all}",
    "d.yaml:8:11: a part needs the key \"series\"");
}

TEST_F(LoadDialectTest, FlavourVersionAndFaultFaults) {
  auto f = [&](const std::string& text, std::string_view want) {
    EXPECT_EQ(WithTop(text), want) << text;
  };
  f("flavours: [{name: a, title: A}, {name: a, title: B}]",
    "d.yaml:6:33: flavour \"a\" stands here twice");
  f("flavours: [{name: a}]", "d.yaml:6:12: a flavour needs the key \"title\"");
  f("versions: [{present: a}]",
    "d.yaml:6:12: a version hint says nothing without \"since\" or \"until\"");
  f("versions: [{since: 1}]", "d.yaml:6:12: a version hint needs the key \"present\"");
  f("faults: [{code: a, severity: info, text: T, when: '~x'}]", "good");
  f("faults: [{code: a, severity: info, text: T}, {code: a, severity: info, text: T}]",
    "d.yaml:6:53: fault \"a\" stands here twice");
  f("faults: [{code: A-b, severity: info, text: T}]",
    "d.yaml:6:17: bad fault code \"A-b\" (use lower case letters, digits and _)");
  f("faults: [{code: a, severity: error, text: T}]",
    "d.yaml:6:30: \"severity\" must be info or warning, found \"error\"");
  f("faults: [{code: a, severity: info}]", "d.yaml:6:10: a fault needs the key \"text\"");
  f("faults: [{code: a, severity: info, text: T, signal: llm:requests_runing}]",
    "d.yaml:6:53: dead signal: \"llm:requests_runing\" is not in the catalog (did you mean "
    "\"llm:requests_running\"?)");
}

// Together the examples of docs/dialects.md are one sound dialect.
TEST_F(LoadDialectTest, AcceptsTheExamplesOfTheDocument) {
  std::istringstream document(ReadTestFile(SourceDir() / "docs/dialects.md"));
  std::string yaml(kHead);
  bool inside = false;
  for (std::string line; std::getline(document, line);) {
    if (line.starts_with("```")) {
      inside = line == "```yaml";
    } else if (inside) {
      yaml += line + "\n";
    }
  }
  EXPECT_EQ(Load(yaml), "good") << yaml;
  EXPECT_NE(yaml.find("faults:"), std::string::npos);
}

TEST_F(LoadDialectTest, ReadsEveryKey) {
  const std::string yaml = ReadTestFile(TestDataDir() / "every_key.yaml");
  const Result<Dialect> dialect = LoadDialect(yaml, "every_key.yaml", registry_.catalog());
  ASSERT_TRUE(dialect) << dialect.error().ToString();
  EXPECT_EQ(dialect->backend, "every");
  EXPECT_EQ(dialect->kind, Kind::kEngine);
  EXPECT_EQ(dialect->precedence, 7);
  EXPECT_EQ(dialect->prefixes, (std::vector<std::string>{"ev:", ""}));
  EXPECT_EQ(dialect->replica_from, std::vector<std::string>{"ReplicaId"});
  EXPECT_EQ(dialect->labels.at("a").role, LabelRule::Role::kTo);
  EXPECT_EQ(dialect->labels.at("a").table.at("x"), "y");
  EXPECT_EQ(dialect->labels.at("a").otherwise, "other");
  EXPECT_TRUE(dialect->labels.at("a").as_address);
  EXPECT_EQ(dialect->labels.at("b").role, LabelRule::Role::kCopies);
  EXPECT_EQ(dialect->labels.at("c").role, LabelRule::Role::kShares);
  EXPECT_EQ(dialect->flavours.at(0).unless.at(0).text, "~u");
  EXPECT_EQ(dialect->versions.at(0).versions.ToString(), "0.10 to 0.11");
  EXPECT_EQ(dialect->absent.at("llm:sleeping"), "it never sleeps");
  EXPECT_EQ(dialect->faults.at(0).check, "some_check");

  ASSERT_EQ(dialect->signals.size(), 3u);
  const Alternative& plain = dialect->signals[0].alternatives.at(0);
  EXPECT_EQ(plain.op, Alternative::Op::kOne);
  EXPECT_EQ(plain.guard->text, "~g");
  EXPECT_EQ(plain.note, "beware");
  const Part& part = plain.parts.at(0);
  EXPECT_EQ(part.series.NameUnder("ev:"), "ev:kv");
  EXPECT_EQ(part.series.matchers.size(), 1u);
  EXPECT_EQ(part.scale, 0.01);
  EXPECT_EQ(part.constants.at("model"), "m");
  EXPECT_EQ(part.value_from_labels, (std::vector<std::string>{"p", "q"}));
  EXPECT_TRUE(part.bag);
  EXPECT_EQ(part.zero_when->text, "~z");
  EXPECT_EQ(part.ignore, (std::vector<double>{-1, 1e20}));
  EXPECT_EQ(dialect->signals[0].alternatives.at(1).op, Alternative::Op::kDivide);
  const Alternative& histogram = dialect->signals[1].alternatives.at(0);
  EXPECT_TRUE(histogram.is_histogram);
  EXPECT_EQ(histogram.population, "streaming");
  EXPECT_EQ(histogram.parts.at(0).scale, 1e-3);
  const Alternative& totals = dialect->signals[1].alternatives.at(1);
  EXPECT_EQ(totals.sum->scale, 1e-6);
  EXPECT_EQ(totals.count->series.name, "n");
  EXPECT_TRUE(dialect->signals[2].alternatives.at(0).parts.at(1).optional);
}

}  // namespace
}  // namespace firstword::dialect
