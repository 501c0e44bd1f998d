#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "simulate/face/test_face_server.h"

namespace firstword::simulate {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

constexpr std::string_view kChunkHead =
    R"({"id":"chatcmpl-3c6ef372fe94f82a0000000000000001","object":"chat.completion.chunk",)"
    R"("created":1700000000,"model":"toy/model","choices":[)";
constexpr std::string_view kTextHead =
    R"({"id":"cmpl-3c6ef372fe94f82a0000000000000001","object":"text_completion",)"
    R"("created":1700000000,"model":"toy/model","choices":[)";

std::string Event(std::string_view rest) { return std::string(kChunkHead).append(rest); }

TEST(OpenAiStreamTest, SpeaksTheChatProtocol) {
  FaceServer s;
  net::RawClient client(s.server->port());
  s.Ask(client, Post(kChat, Chat(R"(,"stream":true,"max_tokens":3,"ignore_eos":true)")));
  EXPECT_TRUE(s.engine.work[0].request.streaming);
  EXPECT_TRUE(s.engine.work[0].request.watched);
  EXPECT_EQ(s.engine.work[0].target(), 3u);
  s.engine.Say(0);
  s.engine.Say(0, 2);
  s.engine.End(0, Outcome::kLength);
  const Seen seen = s.SeeUntil(client, "[DONE]");
  EXPECT_EQ(seen.status, 200);
  EXPECT_THAT(seen.head, HasSubstr("Content-Type: text/event-stream; charset=utf-8"));
  EXPECT_THAT(
      seen.events(),
      ElementsAre(
          Event(R"({"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,)"
                R"("finish_reason":null}]})"),
          Event(R"({"index":0,"delta":{"content":"One"},"logprobs":null,"finish_reason":null}]})"),
          Event(R"({"index":0,"delta":{"content":" more number"},"logprobs":null,)"
                R"("finish_reason":null}]})"),
          Event(R"({"index":0,"delta":{"content":""},"logprobs":null,"finish_reason":"length",)"
                R"("stop_reason":null}]})"),
          "[DONE]"));
  EXPECT_EQ(seen.chunks.size(), 4u) << "the role comes with the first token; then one by one";
}

TEST(OpenAiStreamTest, SpeaksTheCompletionsProtocol) {
  FaceServer s;
  const Seen seen =
      s.Fetch(Post(kCompletions,
                   R"({"model":"toy/model","prompt":"Hi","stream":true,"max_tokens":1,)"
                   R"("stream_options":{"include_usage":true}})",
                   "Content-Type: application/json\r\nX-Simulate-Output-Tokens: 1\r\n"));
  EXPECT_THAT(
      seen.events(),
      ElementsAre(std::string(kTextHead) + R"({"index":0,"text":"One","logprobs":null,)"
                                           R"("finish_reason":null,"stop_reason":null}]})",
                  std::string(kTextHead) + R"({"index":0,"text":"","logprobs":null,)"
                                           R"("finish_reason":"stop","stop_reason":null}]})",
                  std::string(kTextHead) + R"(],"usage":{"prompt_tokens":1,"total_tokens":2,)"
                                           R"("completion_tokens":1}})",
                  "[DONE]"));
}

TEST(OpenAiStreamTest, TellsUsageWhereItIsWanted) {
  auto f = [](std::string_view options, std::size_t with_usage) {
    FaceServer s;
    const Seen seen = s.Fetch(
        Post(kChat, Chat(R"(,"stream":true,"max_tokens":5,"ignore_eos":true,"stream_options":)" +
                         std::string(options))));
    const std::vector<std::string> events = seen.events();
    const auto has_usage = [](const std::string& event) { return event.contains("usage"); };
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count_if(events, has_usage)), with_usage)
        << options;
    if (with_usage == 0) return;
    // 5 + 14 + 8 + 19 bytes of the template and of "Hello".
    EXPECT_THAT(events[events.size() - 2],
                EndsWith(R"("choices":[],"usage":{"prompt_tokens":12,"total_tokens":17,)"
                         R"("completion_tokens":5}})"));
  };
  f("{}", 0);
  f("null", 0);
  f(R"({"include_usage":false,"continuous_usage_stats":true})", 0);
  f(R"({"include_usage":true})", 1);
  f(R"({"include_usage":true,"continuous_usage_stats":true})", 8);
}

TEST(OpenAiStreamTest, CountsContinuously) {
  FaceServer s;
  net::RawClient client(s.server->port());
  s.Ask(client, Post(kChat, Chat(R"(,"stream":true,"stream_options":{"include_usage":true,)"
                                 R"("continuous_usage_stats":true})")));
  s.engine.Say(0, 2);
  s.engine.Say(0);
  const std::vector<std::string> events = s.SeeUntil(client, R"("completion_tokens":3)").events();
  ASSERT_EQ(events.size(), 3u);
  EXPECT_THAT(events[0], EndsWith(R"("total_tokens":12,"completion_tokens":0}})"));
  EXPECT_THAT(events[1], EndsWith(R"("total_tokens":14,"completion_tokens":2}})"));
  EXPECT_THAT(events[2], EndsWith(R"("total_tokens":15,"completion_tokens":3}})"));
}

TEST(OpenAiStreamTest, StreamsSeveralAnswersSideBySide) {
  FaceServer s;
  net::RawClient client(s.server->port());
  s.Ask(client,
        Post(kCompletions, R"({"prompt":["one","another"],"n":2,"stream":true,)"
                           R"("stream_options":{"include_usage":true}})"),
        4);
  ASSERT_EQ(s.engine.work.size(), 4u);
  s.engine.Say(3);
  s.engine.Say(0);
  s.engine.End(3, Outcome::kStop);
  for (const std::size_t i : {0u, 1u, 2u}) {
    s.engine.Say(i);
    s.engine.End(i, Outcome::kLength);
  }
  const std::vector<std::string> events = s.SeeUntil(client, "[DONE]").events();
  ASSERT_EQ(events.size(), 11u);
  EXPECT_THAT(events[0], HasSubstr(R"({"index":3,)"));
  EXPECT_THAT(events[1], HasSubstr(R"({"index":0,)"));
  EXPECT_THAT(events[9], HasSubstr(R"("prompt_tokens":3,"total_tokens":8,"completion_tokens":5)"));
  EXPECT_NE(events[0].substr(events[0].find("text\":")),
            events[1].substr(events[1].find("text\":")))
      << "answers differ";
}

TEST(OpenAiStreamTest, GivesEveryChatChoiceItsRoleFirst) {
  FaceServer s;
  const Seen seen = s.Fetch(Post(kChat, Chat(R"(,"stream":true,"n":2,"max_tokens":1)")));
  const std::vector<std::string> events = seen.events();
  ASSERT_EQ(events.size(), 7u);
  EXPECT_THAT(events[0], HasSubstr(R"({"index":0,"delta":{"role":)"));
  EXPECT_THAT(events[1], HasSubstr(R"({"index":1,"delta":{"role":)"));
}

TEST(OpenAiStreamTest, EndsWithAnErrorEventWhenTheEngineDies) {
  FaceServer s;
  net::RawClient client(s.server->port());
  s.Ask(client, Post(kChat, Chat(R"(,"stream":true,"n":2)")), 2);
  s.engine.Say(0);
  s.engine.End(0, Outcome::kError);
  const Seen seen = s.SeeUntil(client, "[DONE]");
  EXPECT_THAT(
      seen.events()[3],
      R"({"error":{"message":"the engine died while it worked on this request; send it again )"
      R"(once GET /health answers 200","type":"InternalServerError","param":null,"code":500}})");
  EXPECT_THAT(s.engine.aborted, ElementsAre(RequestId{2}));
  EXPECT_TRUE(seen.whole);
}

TEST(OpenAiStreamTest, SaysThatTheEngineAborted) {
  FaceServer s;
  net::RawClient client(s.server->port());
  s.Ask(client, Post(kChat, Chat(R"(,"stream":true)")));
  s.engine.End(0, Outcome::kAbort);
  EXPECT_THAT(s.SeeUntil(client, "[DONE]").body, HasSubstr(R"("finish_reason":"abort")"));
}

}  // namespace
}  // namespace firstword::simulate
