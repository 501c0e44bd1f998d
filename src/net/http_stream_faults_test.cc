#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "net/http_server.h"
#include "net/test_stream_server.h"

namespace firstword::net {
namespace {

using std::chrono::milliseconds;
using testing::EndsWith;
using testing::StartsWith;

constexpr std::string_view kEvents = "text/event-stream";

// The body of a chunked answer, which must be whole.
std::string Unchunked(std::string_view answer) {
  EXPECT_THAT(answer, StartsWith(kStreamHead));
  answer.remove_prefix(kStreamHead.size());
  std::string body;
  while (true) {
    const std::size_t end = answer.find("\r\n");
    if (end == std::string_view::npos) break;
    const std::size_t size = std::stoul(std::string(answer.substr(0, end)), nullptr, 16);
    body += answer.substr(end + 2, size);
    EXPECT_EQ(answer.substr(end + 2 + size, 2), "\r\n");
    answer.remove_prefix(end + size + 4);
    if (size == 0) return body;
  }
  ADD_FAILURE() << "cut after " << body.size() << " bytes";
  return body;
}

TEST(HttpStreamFaultsTest, KeepsTheOrderWhenTheSocketBlocks) {
  StreamServer s;
  RawClient client(s.port, kSmall);
  const auto reply = s.Ask(client, kAsk);
  std::string want;
  std::size_t count = FillUp(*reply, &want);
  for (int i = 0; i < 50; ++i) {
    const std::string piece = std::to_string(count++) + std::string(1000, '-');
    reply->Write(piece);
    want += piece;
  }
  EXPECT_GT(reply->unsent_bytes(), 50u * 1000);
  ASSERT_TRUE(RunUntil(*s.loop, [&] {
    client.Pull();
    return reply->unsent_bytes() == 0;
  }));
  reply->Write("then");
  want += "then";
  reply->End();
  ASSERT_TRUE(RunUntil(*s.loop, [&] { return client.Pull().ends_with("\r\n0\r\n\r\n"); }));
  EXPECT_EQ(Unchunked(client.Pull()), want);
}

TEST(HttpStreamFaultsTest, SendsTheRestAfterItsEnd) {
  StreamServer s;
  RawClient client(s.port, kSmall);
  const auto reply = s.Ask(client, kAsk);
  std::string want;
  FillUp(*reply, &want);
  bool closed = false;
  reply->OnClose([&] { closed = true; });
  reply->End();
  EXPECT_FALSE(reply->open());
  client.EndSending();  // it listens still
  ASSERT_TRUE(s.SeeEnd(client));
  EXPECT_FALSE(client.reset());
  EXPECT_EQ(Unchunked(client.Pull()), want);
  EXPECT_FALSE(closed);
}

TEST(HttpStreamFaultsTest, AnswersAllThatCameBeforeTheClientEndedItsSide) {
  EventLoop loop;
  const std::string body(5'000'000, '#');  // more than the kernel takes at once
  const auto server = HttpServer::Listen(
      loop, {}, [&](const ServerRequest&) { return ServerResponse{.headers = {}, .body = body}; });
  ASSERT_TRUE(server);
  RawClient client((*server)->port(), kSmall);
  for (int i = 0; i < 3; ++i) client.Send(kAsk);
  client.EndSending();
  EXPECT_TRUE(RunUntil(loop, [&] {
    client.Pull();
    return client.ended();
  }));
  EXPECT_FALSE(client.reset());
  EXPECT_EQ(std::ranges::count(client.Pull(), '#'), 3 * 5'000'000);
}

TEST(HttpStreamFaultsTest, SeesAtOnceThatTheClientWentAway) {
  for (const bool begun : {false, true}) {
    for (const bool reset : {false, true}) {
      StreamServer s;
      RawClient client(s.port);
      const auto reply = s.Ask(client, kAsk);
      int closed = 0;
      reply->OnClose([&] { ++closed; });
      if (begun) reply->Begin(200, kEvents);
      if (reset) client.ResetAtHangUp();
      client.HangUp();
      ASSERT_TRUE(RunUntil(*s.loop, [&] { return closed > 0; })) << begun << reset;
      EXPECT_FALSE(reply->open());
      reply->Write("late");
      reply->End();
      reply->OnClose([&] { ++closed; });
      s.loop->RunFor(milliseconds(2));
      EXPECT_EQ(closed, 1);
    }
  }
}

TEST(HttpStreamFaultsTest, SeesItBehindEarlyBytesToo) {
  StreamServer s;
  RawClient client(s.port);
  const auto reply = s.Ask(client, kAsk);
  bool closed = false;
  reply->OnClose([&] { closed = true; });
  client.Send(kAsk);
  client.HangUp();
  ASSERT_TRUE(RunUntil(*s.loop, [&] { return closed; }));
  EXPECT_EQ(s.replies.size(), 1u);
}

TEST(HttpStreamFaultsTest, CutsOffWhoDoesNotRead) {
  StreamServer s({.max_unsent_bytes = 100'000, .tls_cert_file = {}, .tls_key_file = {}});
  RawClient client(s.port, kSmall);
  const auto reply = s.Ask(client, kAsk);
  int closed = 0;
  bool writing = false;
  reply->OnClose([&] {
    EXPECT_FALSE(writing) << "never inside a call";
    ++closed;
  });
  FillUp(*reply);
  writing = true;
  std::size_t most = 0;
  for (int i = 0; i < 200; ++i) {
    reply->Write(std::string(1000, 'x'));
    most = std::max(most, reply->unsent_bytes());
  }
  writing = false;
  EXPECT_FALSE(reply->open());
  EXPECT_EQ(reply->unsent_bytes(), 0u);
  EXPECT_GT(most, 100'000u);
  EXPECT_LT(most, 103'000u);
  ASSERT_TRUE(RunUntil(*s.loop, [&] { return closed > 0; }));
  EXPECT_TRUE(s.SeeEnd(client));
  EXPECT_TRUE(client.reset());
  EXPECT_EQ(closed, 1);
}

TEST(HttpStreamFaultsTest, CutsOffWhoStallsButNotAQuietStream) {
  StreamServer s({.idle_timeout = milliseconds(50), .tls_cert_file = {}, .tls_key_file = {}});
  RawClient quiet_client(s.port);
  RawClient stalled_client(s.port, kSmall);
  RawClient thinking_client(s.port);
  const auto quiet = s.Ask(quiet_client, kAsk);
  quiet->Begin(200, kEvents);
  const auto thinking = s.Ask(thinking_client, kAsk);
  const auto stalled = s.Ask(stalled_client, kAsk);
  bool closed = false;
  stalled->OnClose([&] { closed = true; });
  FillUp(*stalled);
  ASSERT_TRUE(RunUntil(*s.loop, [&] { return closed; }));
  EXPECT_TRUE(quiet->open());
  EXPECT_TRUE(thinking->open());
  quiet->Write("still here");
  EXPECT_THAT(quiet_client.Pull(), EndsWith("a\r\nstill here\r\n"));
  quiet->End();
  EXPECT_TRUE(s.SeeEnd(quiet_client)) << "no next request came";
}

}  // namespace
}  // namespace firstword::net
