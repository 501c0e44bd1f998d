#include "simulate/live/live_fleet.h"

#include <gtest/gtest.h>

#include "net/http_client.h"
#include "net/test_raw_client.h"
#include "simulate/fleet/test_scenario.h"

namespace firstword::simulate {
namespace {

class LiveFleetTest : public testing::Test {
 protected:
  void Start(Scenario scenario, FleetOptions fleet_options, LiveOptions options) {
    auto fleet = MakeFleet(std::move(scenario), std::move(fleet_options));
    ASSERT_NE(fleet, nullptr);
    auto live = LiveFleet::Start(loop_, std::move(fleet), std::move(options));
    ASSERT_TRUE(live) << live.error().message;
    live_ = std::move(*live);
  }

  net::HttpResponse Ask(const std::string& url) {
    net::HttpRequest request{.url = *net::ParseUrl(url)};
    net::HttpResponse answer;
    bool done = false;
    client_.Fetch(std::move(request), [&](Result<net::HttpResponse> response) {
      if (response) answer = std::move(*response);
      done = true;
    });
    while (!done) loop_.RunFor(std::chrono::milliseconds(10));
    return answer;
  }

  net::EventLoop loop_;
  net::HttpClient client_{loop_};
  std::unique_ptr<LiveFleet> live_;
};

TEST_F(LiveFleetTest, ServesEveryPageAndSaysWhere) {
  Scenario scenario = ChatScenario(2, 5);
  scenario.gateway = "vllm-router";
  Start(scenario, {}, {.warm_up = FromSeconds(60)});
  ASSERT_EQ(live_->endpoints().size(), 4u);
  EXPECT_EQ(live_->endpoints()[1].name, "chat-1");
  EXPECT_EQ(live_->endpoints()[2].name, "gpus");
  EXPECT_EQ(live_->endpoints()[3].name, "gateway");
  for (const Endpoint& endpoint : live_->endpoints()) {
    const net::HttpResponse page = Ask(endpoint.metrics_url);
    EXPECT_EQ(page.status, 200) << endpoint.name;
    EXPECT_GT(page.body.size(), 1000u) << endpoint.name;
  }
  // The gateway names the servers by the addresses they listen on.
  const std::string server = live_->endpoints()[0].url.substr(7);
  EXPECT_NE(Ask(live_->endpoints()[3].metrics_url).body.find("server=\"" + server + "\""),
            std::string::npos);
}

TEST_F(LiveFleetTest, ItsClockFollowsTheMachines) {
  Start(ChatScenario(1, 5), {}, {.speed = 50, .warm_up = FromSeconds(100)});
  const SimTime before = live_->fleet().now();
  EXPECT_GE(before, FromSeconds(100));
  const auto began = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - began < std::chrono::milliseconds(200)) {
    loop_.RunFor(std::chrono::milliseconds(5));
  }
  const double passed = Seconds(live_->fleet().now() - before);
  const double real =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  EXPECT_NEAR(passed, 50 * real, 2);
  EXPECT_GT(live_->lag().count(), 0u);
}

TEST_F(LiveFleetTest, ATakenPortIsAnErrorThatNamesIt) {
  Start(ChatScenario(1, 0), {.traffic = false}, {});
  const std::string url = live_->endpoints()[0].url;
  const auto port = static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
  const auto second = LiveFleet::Start(loop_, MakeFleet(ChatScenario(1, 0), {.traffic = false}),
                                       {.first_port = port});
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find(std::to_string(port)), std::string::npos)
      << second.error().message;
}

TEST_F(LiveFleetTest, ACrashEndsEveryAnswerOfARequest) {
  Scenario scenario = ChatScenario(1, 0);
  scenario.events = {{.at = FromSeconds(5), .node = "chat", .crash = true}};
  Start(std::move(scenario), {.traffic = false}, {.speed = 50});
  const std::string& url = live_->endpoints()[0].url;
  const auto port = static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
  const std::string body =
      R"({"prompt":"a","n":8,"max_tokens":5000,"ignore_eos":true,"stream":true})";
  std::vector<std::unique_ptr<net::RawClient>> clients;
  for (int i = 0; i < 4; ++i) {
    clients.push_back(std::make_unique<net::RawClient>(port));
    clients.back()->Send(
        "POST /v1/completions HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
        "Connection: close\r\nContent-Length: " +
        std::to_string(body.size()) + "\r\n\r\n" + body);
  }
  for (const auto& client : clients) {
    EXPECT_TRUE(net::RunUntil(loop_, [&] {
      client->Pull();
      return client->ended();
    }));
    EXPECT_NE(client->Pull().find(R"(data: {"error":{"message":"the engine died)"),
              std::string::npos);
  }
}

TEST(LagMeterTest, KnowsWhetherTheMachineKeepsUp) {
  LagMeter lag;
  EXPECT_FALSE(lag.behind());
  for (int i = 0; i < 1000; ++i) lag.Add(std::chrono::microseconds(i % 100));
  EXPECT_FALSE(lag.behind());
  EXPECT_NEAR(static_cast<double>(lag.Quantile(0.5).count()), 50e3, 2e3);
  for (int i = 0; i < 100; ++i) lag.Add(std::chrono::milliseconds(40));
  EXPECT_TRUE(lag.behind());
  EXPECT_EQ(lag.worst(), std::chrono::milliseconds(40));
}

}  // namespace
}  // namespace firstword::simulate
