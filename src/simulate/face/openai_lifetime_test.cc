#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "simulate/face/test_face_server.h"

// Who goes away first: the client, the engine or the server.

namespace firstword::simulate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(OpenAiLifetimeTest, TakesOutWhatNobodyWaitsFor) {
  auto f = [](std::string_view what, std::string_view more, std::uint32_t said) {
    FaceServer s;
    net::RawClient client(s.server->port());
    s.Ask(client, Post(kChat, Chat(std::string(R"(,"n":2)") + std::string(more))), 2);
    if (said > 0) s.engine.Say(1, said);
    client.HangUp();
    EXPECT_TRUE(s.Until([&] { return !s.engine.aborted.empty(); })) << what;
    EXPECT_THAT(s.engine.aborted, ElementsAre(RequestId{1}, RequestId{2})) << what;
    EXPECT_EQ(s.engine.replied.size(), 1u) << what;
  };
  f("queued", "", 0);
  f("queued, as a stream", R"(,"stream":true)", 0);
  f("under way", "", 5);
  f("under way, as a stream", R"(,"stream":true)", 5);
}

TEST(OpenAiLifetimeTest, TakesOutOnlyWhatHasNotEnded) {
  FaceServer s;
  net::RawClient client(s.server->port());
  s.Ask(client, Post(kChat, Chat(R"(,"n":2,"stream":true)")), 2);
  s.engine.Finish(0);
  client.HangUp();
  EXPECT_TRUE(s.Until([&] { return !s.engine.aborted.empty(); }));
  EXPECT_THAT(s.engine.aborted, ElementsAre(RequestId{2}));
}

TEST(OpenAiLifetimeTest, CutsOffAClientThatDoesNotRead) {
  FaceServer s({}, {.max_unsent_bytes = 1000});
  net::RawClient client(s.server->port(), 4096);
  s.Ask(client, Post(kChat, Chat(R"(,"stream":true)")));
  // Between the cut and its news the engine may go on talking.
  for (int i = 0; i < 100'000 && s.engine.aborted.empty(); ++i) s.engine.Say(0, 5);
  EXPECT_TRUE(s.Until([&] { return !s.engine.aborted.empty(); }));
}

TEST(OpenAiLifetimeTest, EndsWithTheEngineAfterTheClientWasCutOff) {
  FaceServer s({}, {.max_unsent_bytes = 1000});
  net::RawClient client(s.server->port(), 4096);
  s.Ask(client, Post(kChat, Chat(R"(,"stream":true)")));
  for (int i = 0; i < 100'000; ++i) s.engine.Say(0, 5);
  s.engine.End(0, Outcome::kStop);
  s.loop.RunFor(std::chrono::milliseconds(1));
  EXPECT_THAT(s.engine.aborted, IsEmpty());
}

TEST(OpenAiLifetimeTest, AnswersWithAnErrorWhenTheEngineDies) {
  FaceServer s;
  net::RawClient client(s.server->port());
  s.Ask(client, Post(kChat, Chat(R"(,"n":3)")), 3);
  s.engine.Finish(1);
  s.engine.End(2, Outcome::kError);
  const Seen seen = s.SeeUntil(client, "500}}");
  EXPECT_EQ(seen.status, 500);
  EXPECT_THAT(seen.body, HasSubstr(R"({"error":{"message":"the engine died)"));
  EXPECT_THAT(s.engine.aborted, ElementsAre(RequestId{1}));
  EXPECT_EQ(s.engine.replied[0].status, 500);
}

TEST(OpenAiLifetimeTest, HearsOfTheFirstWhileItSubmitsTheNext) {
  FaceServer s;
  net::RawClient client(s.server->port());
  s.engine.before_submit = [&] {
    if (s.engine.work.size() == 1) s.engine.Finish(0);
    if (s.engine.work.size() == 2) s.engine.Say(1);
  };
  s.Ask(client, Post(kChat, Chat(R"(,"n":3,"stream":true,"max_tokens":2)")), 3);
  s.engine.FinishAll();
  const Seen seen = s.SeeUntil(client, "[DONE]");
  EXPECT_TRUE(seen.whole);
  EXPECT_EQ(seen.events().size(), 3u + 6 + 3 + 1);
  EXPECT_THAT(seen.events()[2], HasSubstr(R"({"index":2,"delta":{"role")"));
}

TEST(OpenAiLifetimeTest, GivesUpWhenTheEngineDiesWhileItSubmits) {
  for (const std::string_view more : {"", R"(,"stream":true)"}) {
    FaceServer s;
    net::RawClient client(s.server->port());
    s.engine.before_submit = [&] {
      if (s.engine.work.size() == 1) s.engine.End(0, Outcome::kError);
    };
    s.Ask(client, Post(kChat, Chat(R"(,"n":3)" + std::string(more))), 2);
    EXPECT_THAT(s.SeeUntil(client, "code\":500").body, HasSubstr("the engine died")) << more;
    EXPECT_EQ(s.engine.work.size(), 2u) << more;
    EXPECT_THAT(s.engine.aborted, ElementsAre(RequestId{2})) << more;
  }
}

TEST(OpenAiLifetimeTest, TakesEverythingOutWhenTheServerEnds) {
  for (const std::string_view more : {"", R"(,"stream":true)"}) {
    FaceServer s;
    net::RawClient client(s.server->port());
    s.Ask(client, Post(kChat, Chat(std::string(more))));
    s.server.reset();
    EXPECT_THAT(s.engine.aborted, ElementsAre(RequestId{1})) << more;
  }
}

TEST(OpenAiLifetimeTest, LeavesNothingBehindAnswersOnOneConnection) {
  FaceServer s;
  net::RawClient client(s.server->port());
  std::string request = Post(kChat, Chat(R"(,"stream":true,"max_tokens":2)"));
  const std::size_t close = request.find("Connection: close\r\n");
  request.erase(close, 19);
  for (std::size_t i = 0; i < 3; ++i) {
    client.Send(request);
    ASSERT_TRUE(s.Until([&] { return s.engine.work.size() == i + 1; }));
    s.engine.Finish(i);
  }
  EXPECT_THAT(s.engine.aborted, IsEmpty());
}

}  // namespace
}  // namespace firstword::simulate
