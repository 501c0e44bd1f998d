#include "simulate/traffic/traffic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <sstream>

namespace firstword::simulate {
namespace {

WorkloadSpec Chat() {
  WorkloadSpec chat;
  chat.groups = 4;
  chat.shared_tokens = {.mean = 300};
  chat.prompt_tokens = {.shape = Spread::Shape::kLognormal, .mean = 400, .cv = 1, .max = 8000};
  chat.output_tokens = {.shape = Spread::Shape::kLognormal, .mean = 250, .cv = 0.7};
  return chat;
}

std::vector<Arrival> Take(Traffic& traffic, int count) {
  std::vector<Arrival> arrivals;
  for (int i = 0; i < count; ++i) {
    arrivals.push_back(traffic.Pop());
    traffic.OnAnswered(arrivals.back().session, {.output_tokens = 50}, arrivals.back().at);
  }
  return arrivals;
}

TEST(TrafficTest, ComesAtItsRateWithTheSpreadThatWasAskedFor) {
  for (const double burstiness : {0.25, 1.0, 4.0, std::numeric_limits<double>::infinity()}) {
    const auto traffic = MakeTraffic(Chat(), {.per_second = 20, .burstiness = burstiness}, 3);
    const std::vector<Arrival> arrivals = Take(*traffic, 20'000);
    EXPECT_NEAR(20'000 / Seconds(arrivals.back().at), 20, 1);
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 1; i < arrivals.size(); ++i) {
      const double gap = Seconds(arrivals[i].at - arrivals[i - 1].at);
      ASSERT_GE(gap, 0);
      sum += gap;
      squares += gap * gap;
    }
    const auto n = static_cast<double>(arrivals.size() - 1);
    const double cv = std::sqrt(std::max(0.0, squares / n / (sum / n * sum / n) - 1));
    EXPECT_NEAR(cv, std::isinf(burstiness) ? 0 : 1 / std::sqrt(burstiness), 0.05);
  }
}

TEST(TrafficTest, LengthsHaveTheirMeans) {
  const auto traffic = MakeTraffic(Chat(), {.per_second = 20}, 3);
  double prompt = 0;
  double output = 0;
  for (const Arrival& arrival : Take(*traffic, 20'000)) {
    prompt += arrival.request.prompt.back().tokens;
    output += arrival.request.output_tokens;
    ASSERT_EQ(arrival.request.prompt.size(), 2u);
    EXPECT_EQ(arrival.request.prompt[0].tokens, 300u);
  }
  EXPECT_NEAR(prompt / 20'000, 400, 15);
  EXPECT_NEAR(output / 20'000, 250, 8);
}

TEST(TrafficTest, PopularBeginningsComeMoreOften) {
  const auto traffic = MakeTraffic(Chat(), {.per_second = 20}, 3);
  std::map<std::uint64_t, int> seen;
  for (const Arrival& arrival : Take(*traffic, 10'000)) ++seen[arrival.request.prompt[0].text];
  ASSERT_EQ(seen.size(), 4u);
  EXPECT_NEAR(seen.begin()->second / 10'000.0, 1 / (1 + 0.5 + 1 / 3.0 + 0.25), 0.03);
  traffic->SetPrefixesShared(false);
  std::set<std::uint64_t> own;
  for (const Arrival& arrival : Take(*traffic, 100)) own.insert(arrival.request.prompt[0].text);
  EXPECT_EQ(own.size(), 100u);
}

TEST(TrafficTest, ANextTurnSendsEverythingBeforeIt) {
  WorkloadSpec agent = Chat();
  agent.groups = 0;
  agent.prompt_tokens = {.mean = 100};
  agent.turns = {.mean = 3};
  agent.turn_tokens = {.mean = 20};
  agent.think_seconds = {.mean = 2};
  const auto traffic = MakeTraffic(agent, {.per_second = 0.003}, 1);
  const Arrival first = traffic->Pop();
  EXPECT_EQ(first.request.prompt_tokens(), 100u);
  traffic->OnAnswered(first.session, {.output_tokens = 50}, first.at + FromSeconds(1));
  const Arrival second = traffic->Pop();
  EXPECT_EQ(second.session, first.session);
  EXPECT_EQ(second.at, first.at + FromSeconds(3));
  EXPECT_EQ(second.request.prompt_tokens(), 170u);
  EXPECT_EQ(second.request.prompt[0].text, first.request.prompt[0].text);
  traffic->OnAnswered(second.session, {.output_tokens = 5}, second.at);
  EXPECT_EQ(traffic->Pop().request.prompt_tokens(), 195u);
}

TEST(TrafficTest, ARateThatChangesTakesHoldAtOnce) {
  const auto traffic = MakeTraffic(Chat(), {.per_second = 0.001}, 1);
  traffic->SetRate(100, SimTime{});
  EXPECT_LT(Seconds(traffic->NextArrival()), 1);
  traffic->SetRate(0, SimTime{});
  EXPECT_EQ(traffic->NextArrival(), kNever);
  traffic->SetRate(10, FromSeconds(50));
  EXPECT_GT(traffic->NextArrival(), FromSeconds(50));
  EXPECT_LT(traffic->NextArrival(), FromSeconds(55));
}

TEST(TrafficTest, SomeUsersLeave) {
  WorkloadSpec chat = Chat();
  chat.abort_share = 0.2;
  chat.patience_seconds = {.mean = 3};
  const auto traffic = MakeTraffic(chat, {.per_second = 10}, 1);
  int leave = 0;
  for (const Arrival& arrival : Take(*traffic, 5'000)) {
    if (arrival.patience == kNever) continue;
    ++leave;
    EXPECT_EQ(arrival.patience, arrival.at + FromSeconds(3));
  }
  EXPECT_NEAR(leave, 1000, 80);
}

std::string TestFile(const std::string& name) {
  std::ifstream in(std::string(FIRSTWORD_SOURCE_DIR "/src/simulate/traffic/testdata/") + name);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(TraceFileTest, ReadsTheThreeFormats) {
  const auto mooncake = ParseTrace(TestFile("mooncake.jsonl"), "m");
  ASSERT_TRUE(mooncake) << mooncake.error().message;
  ASSERT_EQ(mooncake->size(), 2u);
  EXPECT_EQ((*mooncake)[1].at_s, 1.5);
  EXPECT_EQ((*mooncake)[1].hash_ids, (std::vector<std::uint64_t>{1, 9}));
  const auto azure = ParseTrace(TestFile("azure.csv"), "a");
  ASSERT_TRUE(azure) << azure.error().message;
  EXPECT_EQ((*azure)[0].prompt_tokens, 100u) << "sorted by time";
  EXPECT_NEAR((*azure)[1].at_s, 2.25, 1e-6);
  const auto burst = ParseTrace(TestFile("burstgpt.csv"), "b");
  ASSERT_TRUE(burst) << burst.error().message;
  ASSERT_EQ(burst->size(), 2u) << "failed rows are left out";
  EXPECT_EQ((*burst)[1].at_s, 113);
}

TEST(TraceFileTest, SaysWhatIsWrongAndWhere) {
  const auto f = [](const std::string& text, const std::string& want) {
    const auto rows = ParseTrace(text, "day.csv");
    ASSERT_FALSE(rows) << text;
    EXPECT_EQ(rows.error().message, want);
  };
  f("", "day.csv: the trace is empty");
  f("a,b\n1,2\n", "day.csv:1: this is no trace that is known here");
  f("TIMESTAMP,ContextTokens,GeneratedTokens\nyesterday,1,2\n",
    "day.csv:2: \"yesterday\" is no time");
  f("TIMESTAMP,ContextTokens,GeneratedTokens\n1,-4,2\n",
    "day.csv:2: a token count is no number of tokens");
  f("TIMESTAMP,ContextTokens,GeneratedTokens\n1,4\n", "day.csv:2: too few columns");
  f("TIMESTAMP,ContextTokens,GeneratedTokens\n1,4,0\n", "day.csv: no row with output tokens");
  f("{\"timestamp\": 1}\n", "day.csv:1: no input_length or no output_length");
  f("{\"timestamp\": 0, \"input_length\": 1, \"output_length\": 1e12}\n",
    "day.csv:1: a length is too large");
}

TEST(ReplayTest, SharesWhatTheTraceShares) {
  const auto rows = ParseTrace(TestFile("mooncake.jsonl"), "m");
  ASSERT_TRUE(rows);
  const auto traffic = MakeReplay(*rows, 2);
  const Arrival first = traffic->Pop();
  const Arrival second = traffic->Pop();
  EXPECT_EQ(Seconds(second.at), 0.75);
  EXPECT_EQ(first.request.prompt_tokens(), 1200u);
  EXPECT_EQ(second.request.prompt_tokens(), 600u);
  EXPECT_EQ(first.request.prompt[0].text, second.request.prompt[0].text);
  EXPECT_NE(first.request.prompt[1].text, second.request.prompt[1].text);
  EXPECT_EQ(traffic->NextArrival(), kNever);
}

}  // namespace
}  // namespace firstword::simulate
