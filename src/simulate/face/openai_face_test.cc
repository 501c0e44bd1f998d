#include "simulate/face/openai_face.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "simulate/engine/prefix_hash.h"
#include "simulate/face/openai_request.h"
#include "simulate/face/test_face_server.h"

namespace firstword::simulate {
namespace {

using testing::HasSubstr;

TEST(OpenAiFaceTest, AnswersAChatInOnePiece) {
  FaceServer s;
  const Seen seen = s.Fetch(Post(kChat, Chat(R"(,"max_completion_tokens":2,"ignore_eos":true)")));
  EXPECT_EQ(seen.status, 200);
  EXPECT_THAT(seen.head, HasSubstr("Content-Type: application/json\r\n"));
  EXPECT_EQ(seen.body,
            R"({"id":"chatcmpl-3c6ef372fe94f82a0000000000000001","object":"chat.completion",)"
            R"("created":1700000000,"model":"toy/model","choices":[{"index":0,"message":)"
            R"({"role":"assistant","content":"One more","refusal":null,"tool_calls":[]},)"
            R"("logprobs":null,"finish_reason":"length","stop_reason":null}],)"
            R"("usage":{"prompt_tokens":12,"total_tokens":14,"completion_tokens":2}})");
  EXPECT_FALSE(s.engine.work[0].request.streaming);
}

TEST(OpenAiFaceTest, AnswersEveryPromptOfACompletion) {
  FaceServer s;
  const Seen seen = s.Fetch(
      Post(kCompletions, R"({"prompt":["ab",[1,2,3],"0123456789"],"n":2,"max_tokens":4})",
           "content-type: Application/JSON; charset=utf-8\r\nx-simulate-output-tokens: 3\r\n"));
  EXPECT_EQ(seen.status, 200) << seen.body;
  for (int i = 0; i < 6; ++i) {
    EXPECT_THAT(seen.body, HasSubstr(R"({"index":)" + std::to_string(i) + R"(,"text":")"));
  }
  EXPECT_THAT(seen.body, HasSubstr(R"("finish_reason":"stop")"));
  EXPECT_THAT(seen.body,
              HasSubstr(R"("prompt_tokens":7,"total_tokens":25,"completion_tokens":18)"));
}

TEST(OpenAiFaceTest, GivesTheEngineWhatTheRequestSays) {
  FaceServer s;
  auto f = [&](std::string_view target, std::string_view body) {
    s.Fetch(Post(target, body));
    return s.engine.work.back().request;
  };
  const Request chat = f(kChat, Chat(R"(,"priority":-3,"max_tokens":9,"min_tokens":9)"));
  EXPECT_EQ(chat.priority, -3);
  EXPECT_EQ(chat.max_tokens, 9u);
  EXPECT_GE(chat.output_tokens, 9u);
  EXPECT_EQ(f(kChat, Chat()).max_tokens, 1024u - 12) << "as much as fits";
  EXPECT_EQ(f(kCompletions, R"({"prompt":"a"})").max_tokens, 16u) << "the API's default";
  EXPECT_EQ(f(kCompletions, R"({"prompt":")" + std::string(4080, 'x') + R"("})").max_tokens, 4u);
}

TEST(OpenAiFaceTest, DrawsTheSameLengthsForTheSameSeed) {
  const auto lengths = [](std::uint64_t seed) {
    FaceServer s({.seed = seed, .mean_output_tokens = 100});
    std::vector<std::uint32_t> drawn;
    double sum = 0;
    for (int i = 0; i < 100; ++i) {
      s.Fetch(Post(kChat, Chat()));
      drawn.push_back(s.engine.work.back().request.output_tokens);
      sum += drawn.back();
    }
    EXPECT_GT(sum, 60 * 100);
    EXPECT_LT(sum, 160 * 100);
    EXPECT_GT(std::set<std::uint32_t>(drawn.begin(), drawn.end()).size(), 40u);
    return drawn;
  };
  EXPECT_EQ(lengths(5), lengths(5));
  EXPECT_NE(lengths(5), lengths(6));
}

// What the cache of the engine will find: leading blocks with the same hashes.
std::size_t SharedBlocks(const Request& a, const Request& b) {
  std::vector<std::uint64_t> of_a;
  std::vector<std::uint64_t> of_b;
  ExtendPrefixHashes(a.prompt, 16, a.prompt_tokens() / 16, of_a);
  ExtendPrefixHashes(b.prompt, 16, b.prompt_tokens() / 16, of_b);
  return static_cast<std::size_t>(std::ranges::mismatch(of_a, of_b).in1 - of_a.begin());
}

TEST(OpenAiFaceTest, SharesThePrefixOfTheTurnBefore) {
  FaceServer s;
  const std::string question(1000, 'q');
  const std::string first = R"({"messages":[{"role":"user","content":")" + question + R"("}])";
  s.Fetch(Post(kChat, first + "}"));
  s.Fetch(Post(kChat, first.substr(0, first.size() - 1) +
                          R"(,{"role":"assistant","content":"an answer"},)"
                          R"({"role":"user","content":"and more"}]})"));
  s.Fetch(Post(kChat, R"({"messages":[{"role":"user","content":"other )" + question + R"("}]})"));
  const Request& turn = s.engine.work[0].request;
  EXPECT_EQ(SharedBlocks(turn, s.engine.work[1].request), turn.prompt_tokens() / 16);
  EXPECT_EQ(SharedBlocks(turn, s.engine.work[2].request), 0u);
}

TEST(OpenAiFaceTest, NeverSharesWhatItSays) {
  FaceServer s;
  s.Fetch(Post(kChat, Chat(R"(,"n":2)")));
  const Prompt& one = s.engine.work[0].request.prompt;
  const Prompt& two = s.engine.work[1].request.prompt;
  EXPECT_EQ(one.front().text, two.front().text);
  EXPECT_NE(one.back().text, two.back().text);
  EXPECT_EQ(one.back().tokens, 0u);
}

TEST(OpenAiFaceTest, HasThePagesOfTheServer) {
  FaceServer s;
  auto f = [&](const std::string& request, int status, std::string_view body) {
    const Seen seen = s.Fetch(request);
    EXPECT_EQ(seen.status, status) << request;
    EXPECT_EQ(seen.body, body) << request;
  };
  f(Get("/health"), 200, "");
  f(Get("/ping"), 200, "");
  f(Post("/ping", ""), 200, "");
  f(Get("/version?x=1"), 200, R"({"version":"0.30.0"})");
  f(Get("/metrics"), 200, "toy 1\n");
  EXPECT_TRUE(s.engine.counted.empty()) << "the real server does not count these";
  f(Get("/v1/models"), 200,
    R"({"object":"list","data":[{"id":"toy/model","object":"model","created":1600000000,)"
    R"("owned_by":"vllm","root":"toy/model","parent":null,"max_model_len":1024}]})");
  f(Post("/tokenize", R"({"prompt":"abcdefgh!"})"), 200,
    R"({"count":3,"max_model_len":1024,"tokens":[39632,105678,471],"token_strs":null})");
  f(Get("/"), 404, R"({"detail":"Not Found"})");
  f(Get(kChat), 405, R"({"detail":"Method Not Allowed"})");
  f(Post("/metrics", ""), 405, R"({"detail":"Method Not Allowed"})");
  EXPECT_THAT(s.Fetch(Get("/health", "DELETE")).head, HasSubstr("Allow: GET\r\n"));
  EXPECT_THAT(s.Fetch(Get("/metrics")).head,
              HasSubstr("Content-Type: text/plain; version=0.0.4\r\n"));
}

TEST(OpenAiFaceTest, SaysSoWhenTheEngineIsDown) {
  FaceServer s;
  s.engine.is_healthy = false;
  EXPECT_EQ(s.Fetch(Get("/health")).status, 503);
  EXPECT_EQ(s.Fetch(Get("/health")).body, "");
  const Seen chat = s.Fetch(Post(kChat, Chat()));
  EXPECT_EQ(chat.status, 503);
  EXPECT_EQ(
      chat.body,
      R"_({"error":{"message":"the engine is down (try again once GET /health answers 200)",)_"
      R"_("type":"ServiceUnavailableError","param":null,"code":503}})_");
  EXPECT_EQ(s.Fetch(Get("/metrics")).status, 200);
}

TEST(OpenAiFaceTest, CountsWhatTheEngineServedAndWhatItNeverSaw) {
  FaceServer s;
  const std::string body = Chat(R"(,"stream":true,"n":2)");
  const Seen stream = s.Fetch(Post(kChat, body));
  EXPECT_TRUE(s.engine.counted.empty()) << "the engine's records count it";
  ASSERT_EQ(s.engine.replied.size(), 1u);
  EXPECT_EQ(s.engine.replied[0].status, 200);
  EXPECT_EQ(s.engine.replied[0].request_bytes, body.size());
  EXPECT_EQ(s.engine.replied[0].response_bytes, stream.body.size());
  const Seen missing = s.Fetch(Get("/nothing"));
  ASSERT_EQ(s.engine.counted.size(), 1u);
  EXPECT_EQ(s.engine.counted[0].status, 404);
  EXPECT_EQ(s.engine.counted[0].response_bytes, missing.body.size());
  EXPECT_EQ(s.engine.replied.size(), 1u);
}

}  // namespace
}  // namespace firstword::simulate
