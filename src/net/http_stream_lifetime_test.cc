#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "net/http_server.h"
#include "net/test_stream_server.h"

namespace firstword::net {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view kEvents = "text/event-stream";

TEST(HttpStreamLifetimeTest, MayEndEverythingInOnClose) {
  StreamServer s;
  RawClient client(s.port);
  RawClient other(s.port);
  s.Ask(other, kAsk)->Begin(200, kEvents);
  const auto reply = s.Ask(client, kAsk);
  bool closed = false;
  reply->OnClose([&] {
    s.replies.clear();
    s.server.reset();
    closed = true;
  });
  client.HangUp();
  ASSERT_TRUE(RunUntil(*s.loop, [&] { return closed; }));
  EXPECT_TRUE(s.SeeEnd(other));
}

TEST(HttpStreamLifetimeTest, EndsAmidStreams) {
  for (const bool with_loop : {false, true}) {
    StreamServer s;
    std::vector<std::unique_ptr<RawClient>> clients;
    int closed = 0;
    for (int i = 0; i < 20; ++i) {
      clients.push_back(std::make_unique<RawClient>(s.port, kSmall));
      const auto reply = s.Ask(*clients.back(), kAsk);
      // Owns itself until then, as a simulator's stream does.
      reply->OnClose([&closed, reply] { ++closed; });
      if (i % 3 == 1) reply->Begin(200, kEvents);
      if (i % 3 == 2) FillUp(*reply);
    }
    const std::weak_ptr<Reply> dropped = s.replies[0];
    s.replies.erase(s.replies.begin());
    EXPECT_FALSE(dropped.expired());
    if (with_loop) {
      s.loop.reset();
    } else {
      s.server.reset();
    }
    EXPECT_TRUE(dropped.expired());
    for (const auto& reply : s.replies) {
      EXPECT_FALSE(reply->open());
      reply->Write("late");
      reply->End();
    }
    if (!with_loop) s.loop->RunFor(milliseconds(2));
    EXPECT_EQ(closed, 0);
    for (const auto& client : clients) (void)client->ReadAll();
  }
}

TEST(HttpStreamLifetimeTest, MayEndInItsHandler) {
  EventLoop loop;
  std::unique_ptr<HttpServer> server;
  auto listening =
      HttpServer::Listen(loop, {}, [&](const ServerRequest&, const std::shared_ptr<Reply>& reply) {
        server.reset();
        EXPECT_FALSE(reply->open());
        reply->Send({});
      });
  ASSERT_TRUE(listening);
  server = *std::move(listening);
  RawClient client(server->port());
  client.Send(kAsk);
  EXPECT_TRUE(RunUntil(loop, [&] {
    client.Pull();
    return client.ended();
  }));
  EXPECT_EQ(client.Pull(), "");
}

}  // namespace
}  // namespace firstword::net
