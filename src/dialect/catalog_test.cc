#include "dialect/catalog.h"

#include <gtest/gtest.h>

#include <string>

namespace firstword::dialect {
namespace {

TEST(UnitTest, ConvertsWhatMeasuresTheSame) {
  auto f = [](std::string_view from, std::string_view to, std::optional<double> want) {
    EXPECT_EQ(UnitScale(from, to), want) << from << " " << to;
  };
  f("ms", "s", 1e-3);
  f("us", "s", 1e-6);
  f("percent", "ratio", 0.01);
  f("MiB", "bytes", 1048576);
  f("MB", "bytes", 1e6);
  f("MHz", "Hz", 1e6);
  f("mJ", "J", 1e-3);
  f("time_ms", "time", 1e-3);
  f("time_ms", "s", std::nullopt);
  f("blocks", "tokens", std::nullopt);
  f("parsec", "s", std::nullopt);
  f("s", "s", 1);
  EXPECT_TRUE(IsUnit("celsius"));
  EXPECT_FALSE(IsUnit(""));
  EXPECT_EQ(BaseScale("percent"), 0.01);
}

TEST(UnitTest, RescalesWithoutRoundingNoise) {
  EXPECT_EQ(Rescaler(1e-3)(700), 0.7);
  EXPECT_EQ(Rescaler(1e-6)(300000), 0.3);
  EXPECT_EQ(Rescaler(0.01)(7), 0.07);
  EXPECT_EQ(Rescaler(1024)(3), 3072);
  EXPECT_EQ(Rescaler(1)(0.1), 0.1);
}

constexpr std::string_view kSmall =
    "signals:\n"
    "  llm:a: {type: gauge, unit: ratio, min: 0, max: 1, ranks: max, help: A, labels: [reason]}\n"
    "  llm:h_seconds: {type: histogram, unit: s, help: H, if_absent: nothing}\n"
    "  gpu:c_total: {type: counter, unit: count, help: C}\n";

TEST(CatalogTest, ReadsSignals) {
  const Result<Catalog> catalog = Catalog::Parse(kSmall, "s.yaml");
  ASSERT_TRUE(catalog) << catalog.error().ToString();
  ASSERT_EQ(catalog->all().size(), 3u);
  const SignalDef& a = *catalog->Find("llm:a");
  EXPECT_EQ(a.family, "llm");
  EXPECT_EQ(a.ranks, RankRule::kMax);
  EXPECT_EQ(a.max, 1);
  EXPECT_EQ(a.labels, std::vector<std::string>{"reason"});
  EXPECT_EQ(catalog->Find("llm:b"), nullptr);
  EXPECT_EQ(catalog->Find("gpu:c_total")->type, SignalType::kCounter);
}

TEST(CatalogTest, ResolvesSeriesNames) {
  const Catalog catalog = Catalog::Parse(kSmall, "s.yaml").value();
  auto f = [&](std::string_view name, std::string_view want) {
    const auto series = catalog.Resolve(name);
    EXPECT_EQ(series ? SeriesNameOf(*series->signal, series->component) : "", want) << name;
  };
  f("llm:a", "llm:a");
  f("llm:h_seconds", "");
  f("llm:h_seconds_bucket", "llm:h_seconds_bucket");
  f("llm:h_seconds_sum", "llm:h_seconds_sum");
  f("llm:h_seconds_count", "llm:h_seconds_count");
  f("llm:a_count", "");
  f("_count", "");
  f("", "");
}

TEST(CatalogTest, RefusesWithPositionAndRemedy) {
  auto f = [](const std::string& yaml, std::string_view want) {
    const Result<Catalog> catalog = Catalog::Parse(yaml, "s.yaml");
    ASSERT_FALSE(catalog) << yaml;
    EXPECT_EQ(catalog.error().ToString(), want);
  };
  const auto one = [](const std::string& entry) { return "signals:\n  " + entry + "\n"; };
  f("", "s.yaml:1:1: the file is empty");
  f("a: 1", "s.yaml:1:1: a signals file has no key \"a\" (known keys: signals)");
  f("signals: [a]", "s.yaml:1:10: \"signals\" must be a map of keys and values, found a list");
  f(one("llm:a: {type: gauge, unit: s}"), "s.yaml:2:10: a signal needs the key \"help\"");
  f(one("llm:a: {type: gage, unit: s, help: H}"),
    "s.yaml:2:17: \"type\" must be gauge or counter or histogram, found \"gage\"");
  f(one("llm:a: {type: gauge, unit: sec, help: H}"),
    "s.yaml:2:30: unknown unit \"sec\" (units: s, ms, us, ns, ratio, percent, bytes, KiB, MiB, "
    "GiB, MB, Hz, kHz, MHz, W, mW, J, mJ, celsius, tokens, requests, blocks, count, code, bool, "
    "time, time_ms)");
  f(one("web:a: {type: gauge, unit: s, help: H}"),
    "s.yaml:2:3: signal \"web:a\" is of no known family (names begin with llm:, gpu: or "
    "gateway:)");
  f(one("llm:A: {type: gauge, unit: s, help: H}"),
    "s.yaml:2:3: signal \"llm:A\" is not named <family>:<noun>_<unit> (use lower case letters, "
    "digits and _)");
  f(one("llm:a: {type: gauge, unit: s, help: H, min: 2, max: 1}"),
    "s.yaml:2:55: \"max\" is below \"min\"");
  f(one("llm:a: {type: gauge, unit: s, help: H, min: low}"),
    "s.yaml:2:47: \"min\" must be a number, found \"low\"");
  f(one("llm:a: {type: gauge, unit: s, hlp: H}"),
    "s.yaml:2:33: a signal has no key \"hlp\" (did you mean \"help\"?)");
}

TEST(CatalogTest, AFileCannotChangeASignal) {
  Catalog catalog = Catalog::Parse(kSmall, "s.yaml").value();
  const Result<void> added =
      catalog.AddYaml("signals:\n  llm:a: {type: gauge, unit: s, help: H}\n", "own.yaml");
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().ToString(),
            "own.yaml:2:3: signal \"llm:a\" exists already (a file can add signals but not change "
            "them)");
}

}  // namespace
}  // namespace firstword::dialect
