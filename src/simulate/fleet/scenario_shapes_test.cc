// Every built-in scenario is what it says: healthy before its onset, and after it the facts
// that tell its shape from the others.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "simulate/fleet/test_scenario.h"
#include "simulate/scenario/scenarios.h"

namespace firstword::simulate {
namespace {

const Presets& AllPresets() {
  static const Result<Presets> presets = Presets::LoadBuiltin();
  return *presets;
}

// What can be seen of one replica over a stretch of time.
struct Look {
  double ttft = 0, queue = 0, prefill = 0, itl = 0, e2e = 0;  // means, s
  double ended_per_s = 0, tokens_per_s = 0, preemptions = 0, hits = 0, tokens_per_step = 0;
  double running = 0, waiting = 0, kv = 0, rank0_share = 0;  // at the end
  double util = 0, tensor = 0, dram = 0;                     // at the end
  bool up = true;
};

class Watched {
 public:
  explicit Watched(const std::string& name) {
    Result<Scenario> scenario = FindScenario(name, AllPresets());
    if (!scenario) {
      ADD_FAILURE() << scenario.error().message;
      return;
    }
    fleet_ = MakeFleet(std::move(*scenario), {.start_unix_s = 1.7e9});
  }

  [[nodiscard]] Fleet& fleet() { return *fleet_; }
  [[nodiscard]] SimTime onset() const { return fleet_->scenario().onset; }

  // Lives until `end` and looks back to the last call.
  std::vector<Look> Until(SimTime end) {
    std::vector<RankRecord> before;
    for (std::size_t i = 0; i < fleet_->replicas(); ++i) before.push_back(Sum(i));
    const double seconds = Seconds(end - fleet_->now());
    fleet_->AdvanceTo(end);
    std::vector<Look> looks;
    for (std::size_t i = 0; i < fleet_->replicas(); ++i)
      looks.push_back(LookAt(i, before[i], seconds));
    return looks;
  }

 private:
  RankRecord Sum(std::size_t i) const {
    RankRecord sum;
    const Recorder& recorder = fleet_->recorder(i);
    for (std::uint32_t r = 0; r < recorder.ranks(); ++r) {
      const RankRecord& rank = recorder.rank(r);
      for (std::size_t d = 0; d < kDistributions; ++d) {
        sum.distributions[d].sum += rank.distributions[d].sum;
        sum.distributions[d].count += rank.distributions[d].count;
      }
      for (std::size_t o = 0; o < sum.ended.size(); ++o) sum.ended[o] += rank.ended[o];
      sum.generation_tokens += rank.generation_tokens;
      sum.preemptions += rank.preemptions;
      sum.prefix_queries += rank.prefix_queries;
      sum.prefix_hits += rank.prefix_hits;
      sum.drafts += rank.drafts;
      sum.accepted_tokens += rank.accepted_tokens;
    }
    return sum;
  }

  Look LookAt(std::size_t i, const RankRecord& before, double seconds) {
    const RankRecord now = Sum(i);
    Look look;
    const auto mean = [&](Distribution d) {
      const DistributionTotals& a = before.distributions[static_cast<std::size_t>(d)];
      const DistributionTotals& b = now.distributions[static_cast<std::size_t>(d)];
      return b.count > a.count ? (b.sum - a.sum) / static_cast<double>(b.count - a.count) : 0;
    };
    look.ttft = mean(Distribution::kTtft);
    look.queue = mean(Distribution::kQueue);
    look.prefill = mean(Distribution::kPrefill);
    look.itl = mean(Distribution::kItl);
    look.e2e = mean(Distribution::kE2e);
    double ended = 0;
    for (std::size_t o = 0; o < now.ended.size(); ++o) {
      ended += static_cast<double>(now.ended[o]) - static_cast<double>(before.ended[o]);
    }
    look.ended_per_s = ended / seconds;
    const auto change = [](std::uint64_t a, std::uint64_t b) {
      return static_cast<double>(b) - static_cast<double>(a);
    };
    look.tokens_per_s = change(before.generation_tokens, now.generation_tokens) / seconds;
    look.preemptions = change(before.preemptions, now.preemptions);
    const double queried = change(before.prefix_queries, now.prefix_queries);
    look.hits = queried > 0 ? change(before.prefix_hits, now.prefix_hits) / queried : 0;
    const double drafts = change(before.drafts, now.drafts);
    look.tokens_per_step =
        drafts > 0 ? 1 + change(before.accepted_tokens, now.accepted_tokens) / drafts : 1;
    const Recorder& recorder = fleet_->recorder(i);
    for (std::uint32_t r = 0; r < recorder.ranks(); ++r) {
      const SchedulerState& state = recorder.rank(r).state;
      const double load = state.running + state.waiting;
      look.running += state.running;
      look.waiting += state.waiting;
      look.kv =
          std::max(look.kv, 1.0 * (state.blocks - state.free_blocks) / std::max(1u, state.blocks));
      if (r == 0) look.rank0_share = load;
    }
    look.rank0_share /= std::max(1.0, look.running + look.waiting);
    const std::vector<GpuReading> gpus = fleet_->ReadGpus(i);
    if (!gpus.empty()) {
      look.util = gpus[0].util.value_or(0);
      look.tensor = gpus[0].tensor_active.value_or(0);
      look.dram = gpus[0].dram_active.value_or(0);
    }
    look.up = fleet_->status(i).up;
    return look;
  }

  std::unique_ptr<Fleet> fleet_;
};

struct BeforeAndAfter {
  std::vector<Look> before, after;
};

BeforeAndAfter Live(const std::string& name, double after_s = 150) {
  Watched watched(name);
  watched.fleet().AdvanceTo(watched.onset() / 2);
  BeforeAndAfter both;
  both.before = watched.Until(watched.onset() - SimTime(1));
  both.after = watched.Until(watched.onset() + FromSeconds(after_s));
  return both;
}

TEST(ScenarioShapesTest, EveryOneLoadsAndIsHealthyBeforeItsOnset) {
  const std::vector<std::string_view> names = BuiltinScenarioNames();
  EXPECT_GE(names.size(), 23u);
  for (const std::string_view name : names) {
    SCOPED_TRACE(name);
    const Result<Scenario> scenario = FindScenario(name, AllPresets());
    ASSERT_TRUE(scenario) << scenario.error().message;
    EXPECT_EQ(scenario->name, name);
    EXPECT_GT(scenario->story.size(), 80u);
    if (scenario->onset == SimTime{}) continue;
    Watched watched{std::string(name)};
    for (const Look& look : watched.Until(watched.onset() - SimTime(1))) {
      EXPECT_TRUE(look.up);
      EXPECT_LT(look.ttft, 1);
      EXPECT_LT(look.queue, 0.2);
      EXPECT_LT(look.waiting, 3);
      EXPECT_EQ(look.preemptions, 0);
      EXPECT_GT(look.ended_per_s, 0.5);
    }
  }
}

TEST(ScenarioShapesTest, QueueBound) {
  const auto [before, after] = Live("queue-bound");
  EXPECT_GT(after[0].waiting, 100);
  EXPECT_GT(after[0].queue, 5);
  EXPECT_LT(after[0].kv, 0.5);
  EXPECT_EQ(after[0].preemptions, 0);
}

TEST(ScenarioShapesTest, KvThrash) {
  const auto [before, after] = Live("kv-thrash");
  EXPECT_GT(after[0].kv, 0.9);
  EXPECT_GT(after[0].preemptions, 50);
  EXPECT_GT(after[0].ttft, 2);
}

TEST(ScenarioShapesTest, MemoryBoundDecode) {
  const auto [before, after] = Live("memory-bound-decode");
  EXPECT_GT(after[0].itl, 1.8 * before[0].itl);
  EXPECT_GT(after[0].dram, 0.6);
  EXPECT_LT(after[0].tensor, 0.3);
  EXPECT_LT(after[0].queue, 0.1);
}

TEST(ScenarioShapesTest, ComputeBoundPrefill) {
  const auto [before, after] = Live("compute-bound-prefill");
  EXPECT_GT(after[0].tensor, 0.4);
  EXPECT_LT(after[0].dram, 0.5);
  EXPECT_GT(after[0].ttft, 2 * before[0].ttft);
}

TEST(ScenarioShapesTest, PrefillDecodeInterference) {
  Watched watched("prefill-decode-interference");
  watched.fleet().AdvanceTo(watched.onset() + FromSeconds(150));
  // The longest stalls are longer than a second, while half of all gaps are short.
  EXPECT_LT(watched.Until(watched.onset() + FromSeconds(200))[0].itl, 0.1);
  const std::string page = watched.fleet().MetricsPage(0);
  EXPECT_NE(page.find("sglang:inter_token_latency_seconds_bucket"), std::string::npos);
  const auto count = [&](const std::string& le) {
    std::size_t at = page.find("sglang:inter_token_latency_seconds_bucket");
    at = page.find("le=\"" + le + "\"", at);
    return std::stod(page.substr(page.find("} ", at) + 2));
  };
  EXPECT_GT(count("+Inf") - count("0.6"), 20) << "gaps longer than 0.6 s";
  EXPECT_GT(count("0.04"), 0.5 * count("+Inf"));
}

TEST(ScenarioShapesTest, SequenceLimit) {
  const auto [before, after] = Live("sequence-limit");
  EXPECT_EQ(after[0].running, 8);
  EXPECT_GT(after[0].waiting, 50);
  EXPECT_LT(after[0].kv, 0.05);
}

TEST(ScenarioShapesTest, HostBound) {
  const auto [before, after] = Live("host-bound");
  EXPECT_GT(after[0].itl, 3 * before[0].itl);
  EXPECT_LT(after[0].util, 0.5);
  EXPECT_LT(after[0].waiting, 5);
}

TEST(ScenarioShapesTest, CacheMissRegression) {
  const auto [before, after] = Live("cache-miss-regression");
  EXPECT_GT(before[0].hits, 0.8);
  EXPECT_LT(after[0].hits, 0.1);
  EXPECT_GT(after[0].prefill, 5 * before[0].prefill);
  EXPECT_NEAR(after[0].ended_per_s, before[0].ended_per_s, 1) << "the same traffic";
}

TEST(ScenarioShapesTest, LongOutputs) {
  const auto [before, after] = Live("long-outputs");
  EXPECT_GT(after[0].running, 4 * std::max(5.0, before[0].running));
  EXPECT_LT(after[0].ttft, 0.1);
  EXPECT_EQ(after[0].waiting, 0);
}

TEST(ScenarioShapesTest, ReplicaImbalance) {
  const auto [before, after] = Live("replica-imbalance");
  EXPECT_GT(after[0].waiting, 30);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(after[i].waiting, 0);
  EXPECT_LT(before[0].ended_per_s, 1.5 * before[1].ended_per_s);
}

TEST(ScenarioShapesTest, RankImbalance) {
  const auto [before, after] = Live("rank-imbalance");
  EXPECT_LT(before[0].rank0_share, 0.45);
  EXPECT_GT(after[0].rank0_share, 0.7);
  EXPECT_GT(after[0].waiting, 30);
}

TEST(ScenarioShapesTest, ColdStart) {
  Watched watched("cold-start");
  watched.Until(watched.onset() + FromSeconds(10));
  EXPECT_FALSE(watched.fleet().status(1).up);
  watched.Until(watched.onset() + FromSeconds(46));
  const std::vector<Look> after = watched.Until(watched.onset() + FromSeconds(70));
  EXPECT_TRUE(after[1].up);
  EXPECT_LT(after[1].hits, 0.8);
  EXPECT_GT(after[1].ttft, 3 * after[0].ttft);
}

TEST(ScenarioShapesTest, StuckEngine) {
  const auto [before, after] = Live("stuck-engine");
  EXPECT_EQ(after[1].tokens_per_s, 0);
  EXPECT_GT(after[1].running, 0);
  EXPECT_GT(after[0].tokens_per_s, 300);
}

TEST(ScenarioShapesTest, OomCrashLoop) {
  Watched watched("oom-crash-loop");
  int starts = 0;
  bool up = true;
  for (double s = 0; s < 300; s += 1) {
    watched.fleet().AdvanceTo(watched.onset() + FromSeconds(s));
    const bool now = watched.fleet().status(1).up;
    starts += now && !up ? 1 : 0;
    up = now;
  }
  EXPECT_GE(starts, 4);
}

TEST(ScenarioShapesTest, ThermalThrottle) {
  Watched watched("thermal-throttle");
  watched.Until(watched.onset());
  const std::vector<Look> after = watched.Until(watched.onset() + FromSeconds(150));
  EXPECT_GT(after[0].prefill, 2 * after[1].prefill);
  const GpuReading reading = watched.fleet().ReadGpus(0)[0];
  EXPECT_NE(*reading.throttle_mask & kThrottleHwThermal, 0u);
  EXPECT_LT(*reading.sm_clock_hz, 1e9);
}

TEST(ScenarioShapesTest, XidGpuLost) {
  Watched watched("xid-gpu-lost");
  watched.Until(watched.onset() + FromSeconds(5));
  EXPECT_EQ(*watched.fleet().ReadGpus(1)[0].xid, 79);
  const std::vector<Look> after = watched.Until(watched.onset() + FromSeconds(60));
  EXPECT_TRUE(watched.fleet().ReadGpus(1).empty());
  EXPECT_EQ(after[1].ended_per_s, 0);
}

TEST(ScenarioShapesTest, Ecc) {
  Watched watched("ecc");
  watched.Until(watched.onset() + FromSeconds(90));
  const GpuReading reading = watched.fleet().ReadGpus(0)[0];
  EXPECT_EQ(*reading.ecc_sbe, 150);
  EXPECT_EQ(*reading.ecc_dbe, 2);
  EXPECT_EQ(*reading.row_remap_failure, 1);
  EXPECT_FALSE(watched.fleet().status(0).up);
}

TEST(ScenarioShapesTest, TelemetryBroken) {
  const auto [before, after] = Live("telemetry-broken");
  EXPECT_GT(after[0].util, 0.9);
  EXPECT_EQ(after[0].tensor, 0);
  EXPECT_EQ(after[0].dram, 0);
  EXPECT_GT(after[0].tokens_per_s, 500);
}

TEST(ScenarioShapesTest, FrozenGauges) {
  const auto [before, after] = Live("frozen-gauges");
  EXPECT_GT(after[0].running, 0) << "as the page says";
  EXPECT_EQ(after[0].tokens_per_s, 0);
  EXPECT_EQ(after[0].util, 0);
}

TEST(ScenarioShapesTest, CounterReset) {
  Watched watched("counter-reset");
  watched.Until(watched.onset() - SimTime(1));
  const std::uint64_t before = watched.fleet().recorder(0).rank(0).generation_tokens;
  watched.Until(watched.onset() + FromSeconds(20));
  EXPECT_LT(watched.fleet().recorder(0).rank(0).generation_tokens, before / 2);
  EXPECT_GT(watched.fleet().recorder(0).rank(0).generation_tokens, 0u);
}

TEST(ScenarioShapesTest, SlowGateway) {
  const auto [before, after] = Live("slow-gateway");
  EXPECT_NEAR(after[0].ttft, before[0].ttft, 0.01);
}

TEST(ScenarioShapesTest, SpeculationNotPaying) {
  const auto [before, after] = Live("speculation-not-paying");
  EXPECT_GT(before[0].tokens_per_step, 3);
  EXPECT_LT(after[0].tokens_per_step, 1.3);
  EXPECT_GT(after[0].e2e, 1.8 * before[0].e2e);
}

TEST(ScenarioShapesTest, TheDemosTwoVllmServersLookAlikeAndAreNot) {
  Watched watched("demo");
  watched.Until(FromSeconds(180));
  const std::uint64_t tokens = watched.fleet().tokens_given();
  const std::vector<Look> looks = watched.Until(FromSeconds(360));
  EXPECT_GT(looks[0].util, 0.9);
  EXPECT_GT(looks[1].util, 0.9);
  EXPECT_LT(looks[0].ttft, 0.1);
  EXPECT_GT(looks[1].ttft, 5);
  EXPECT_EQ(looks[0].waiting, 0);
  EXPECT_GT(looks[1].waiting, 5);
  EXPECT_LT(static_cast<double>(watched.fleet().tokens_given() - tokens) / 180, 5000);
}

}  // namespace
}  // namespace firstword::simulate
