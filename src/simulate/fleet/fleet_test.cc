#include "simulate/fleet/fleet.h"

#include <gtest/gtest.h>

#include "simulate/fleet/test_scenario.h"

namespace firstword::simulate {
namespace {

// The number on the line that begins with `series` and a blank; -1 when there is none.
double ValueOf(const std::string& page, const std::string& series) {
  std::size_t at = page.starts_with(series + " ") ? 0 : page.find("\n" + series + " ");
  if (at == std::string::npos) return -1;
  at = page.find(series, at) + series.size() + 1;
  return std::stod(page.substr(at, page.find('\n', at) - at));
}

class Listening final : public TokenListener {
 public:
  void OnTokens(std::uint32_t count) override { tokens += count; }
  void OnEnd(const RequestRecord& end) override {
    ++ends;
    record = end;
  }
  std::uint32_t tokens = 0;
  int ends = 0;
  RequestRecord record;
};

TEST(FleetTest, ServesItsUsersAndSaysSoOnItsPages) {
  const auto fleet = MakeFleet(ChatScenario(2, 6));
  ASSERT_NE(fleet, nullptr);
  fleet->AdvanceTo(FromSeconds(120));
  EXPECT_NEAR(static_cast<double>(fleet->requests_ended()), 720, 90);
  const std::string suffix = R"({engine="0",model_name="test-8b"})";
  double prompts = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string page = fleet->MetricsPage(i);
    EXPECT_GT(ValueOf(page, "vllm:generation_tokens_total" + suffix), 30'000);
    EXPECT_GT(ValueOf(page, "vllm:prefix_cache_hits_total" + suffix), 10'000);
    prompts += ValueOf(page, "vllm:e2e_request_latency_seconds_count" + suffix);
  }
  EXPECT_EQ(prompts, static_cast<double>(fleet->requests_ended()));
  const std::string gpus = fleet->GpuPage();
  EXPECT_NE(gpus.find("DCGM_FI_PROF_DRAM_ACTIVE{"), std::string::npos);
  EXPECT_NE(gpus.find("gpu=\"0\""), std::string::npos);
  EXPECT_NE(gpus.find("gpu=\"1\""), std::string::npos);
}

TEST(FleetTest, TheSameScenarioLivesTheSameLife) {
  const auto page = [](std::uint64_t seed) {
    Scenario scenario = ChatScenario(1, 4);
    scenario.seed = seed;
    const auto fleet = MakeFleet(scenario);
    fleet->AdvanceTo(FromSeconds(60));
    return fleet->MetricsPage(0) + fleet->GpuPage();
  };
  EXPECT_EQ(page(1), page(1));
  EXPECT_NE(page(1), page(2));
}

TEST(FleetTest, HowFineTimeIsCutDoesNotMatter) {
  const auto fine = MakeFleet(ChatScenario(1, 4));
  const auto coarse = MakeFleet(ChatScenario(1, 4));
  for (int ms = 1; ms <= 30'000; ++ms) fine->AdvanceTo(std::chrono::milliseconds(ms));
  coarse->AdvanceTo(FromSeconds(30));
  EXPECT_EQ(fine->MetricsPage(0), coarse->MetricsPage(0));
}

TEST(FleetTest, AListenerGetsItsTokensWhenTheyAreDue) {
  const auto fleet = MakeFleet(ChatScenario(1, 0), {.traffic = false});
  fleet->AdvanceTo(FromSeconds(5));
  Listening listening;
  fleet->Submit(0, PlainRequest(1, 100, 50), &listening);
  while (fleet->NextEvent() != kNever) {
    const SimTime next = fleet->NextEvent();
    const std::uint32_t before = listening.tokens;
    fleet->AdvanceTo(next - SimTime(1));
    EXPECT_EQ(listening.tokens, before) << "nothing before its time";
    fleet->AdvanceTo(next);
  }
  EXPECT_EQ(listening.tokens, 50u);
  EXPECT_EQ(listening.ends, 1);
  EXPECT_EQ(listening.record.outcome, Outcome::kStop);
  EXPECT_EQ(listening.record.last_seen, fleet->now());
}

TEST(FleetTest, AnAbortedRequestIsHeardOfNoMore) {
  const auto fleet = MakeFleet(ChatScenario(1, 0), {.traffic = false});
  Listening listening;
  const RequestId id = fleet->Submit(0, PlainRequest(1, 100, 500), &listening);
  fleet->AdvanceTo(FromSeconds(1));
  const std::uint32_t before = listening.tokens;
  EXPECT_GT(before, 10u);
  fleet->Abort(0, id);
  fleet->AdvanceTo(FromSeconds(10));
  EXPECT_EQ(listening.tokens, before);
  EXPECT_EQ(listening.ends, 0);
  EXPECT_EQ(fleet->status(0).open_requests, 0u);
}

TEST(FleetTest, ACrashTakesItsRequestsAndItsCountersAlong) {
  Scenario scenario = ChatScenario(2, 6);
  scenario.events = {{.at = FromSeconds(60), .node = "chat", .replica = 1, .crash = true}};
  const auto fleet = MakeFleet(scenario);
  fleet->AdvanceTo(FromSeconds(59));
  Listening listening;
  fleet->Submit(1, PlainRequest(1, 100, 5000), &listening);
  fleet->AdvanceTo(FromSeconds(61));
  EXPECT_EQ(listening.ends, 1);
  EXPECT_EQ(listening.record.outcome, Outcome::kError);
  EXPECT_FALSE(fleet->status(1).up);
  EXPECT_TRUE(fleet->status(0).up);
  fleet->AdvanceTo(FromSeconds(100));
  EXPECT_TRUE(fleet->status(1).up) << "after its cold start";
  const auto generated = [&](std::size_t i) {
    return fleet->recorder(i).rank(0).generation_tokens;
  };
  EXPECT_LT(generated(1), generated(0) / 2);
  EXPECT_NEAR(fleet->recorder(1).facts().start_unix_s, 80, 1);
}

TEST(FleetTest, ACrashLoopGoesOn) {
  Scenario scenario = ChatScenario(1, 2);
  scenario.events = {{.at = FromSeconds(30), .node = "chat", .crash = true, .crash_every_s = 10}};
  const auto fleet = MakeFleet(scenario);
  int downs = 0;
  bool up = true;
  for (int s = 0; s < 300; ++s) {
    fleet->AdvanceTo(FromSeconds(s));
    downs += up && !fleet->status(0).up ? 1 : 0;
    up = fleet->status(0).up;
  }
  EXPECT_NEAR(downs, 9, 1) << "10 s up, 20 s down";
}

TEST(FleetTest, ALostGpuVanishesFromThePage) {
  Scenario scenario = ChatScenario(2, 6);
  scenario.events = {{.at = FromSeconds(30), .node = "chat", .replica = 0, .gpu = 0, .xid = 79},
                     {.at = FromSeconds(40), .node = "chat", .replica = 0, .gpu_lost = true}};
  const auto fleet = MakeFleet(scenario);
  fleet->AdvanceTo(FromSeconds(35));
  const std::string before = fleet->GpuPage();
  EXPECT_NE(before.find("gpu=\"0\""), std::string::npos);
  EXPECT_NE(before.find(" 79\n"), std::string::npos);
  fleet->AdvanceTo(FromSeconds(45));
  const std::string after = fleet->GpuPage();
  EXPECT_EQ(after.find("gpu=\"0\""), std::string::npos);
  EXPECT_NE(after.find("gpu=\"1\""), std::string::npos);
}

TEST(FleetTest, ASlowGatewayIsSeenByTheGatewayAlone) {
  Scenario scenario = ChatScenario(2, 6);
  scenario.gateway = "vllm-router";
  scenario.events = {{.at = FromSeconds(60), .traffic = "users", .gateway_delay_s = 4}};
  const auto fleet = MakeFleet(scenario);
  ASSERT_NE(fleet, nullptr);
  fleet->AdvanceTo(FromSeconds(59));
  const std::string series = "vllm:avg_latency{server=\"chat-0:8000\"}";
  const double before = ValueOf(fleet->GatewayPage(), series);
  fleet->AdvanceTo(FromSeconds(180));
  const double after = ValueOf(fleet->GatewayPage(), series);
  EXPECT_GT(before, 0.5) << fleet->GatewayPage();
  EXPECT_NEAR(after - before, 4, 0.8);
  const auto e2e =
      fleet->recorder(0).rank(0).distributions[static_cast<std::size_t>(Distribution::kE2e)];
  EXPECT_LT(e2e.sum / static_cast<double>(e2e.count), before + 0.5);
}

TEST(FleetTest, SkewSendsTooManyToOne) {
  Scenario scenario = ChatScenario(4, 12);
  scenario.traffic[0].skew = 0.7;
  const auto fleet = MakeFleet(scenario);
  fleet->AdvanceTo(FromSeconds(60));
  const auto received = [&](std::size_t i) { return fleet->recorder(i).frontend().received; };
  EXPECT_GT(received(0), 3 * received(1));
}

TEST(FleetTest, UnknownEnginesAreNamed) {
  const Result<dialect::ExportCatalog> catalog = dialect::ExportCatalog::LoadBuiltin();
  Scenario scenario = ChatScenario(1, 1);
  scenario.nodes[0].engine = "vlm";
  const auto fleet = Fleet::Create(scenario, *catalog, {});
  ASSERT_FALSE(fleet);
  EXPECT_NE(fleet.error().message.find("node \"chat\""), std::string::npos)
      << fleet.error().message;
}

}  // namespace
}  // namespace firstword::simulate
