#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "net/http_client.h"
#include "net/test_requests.h"
#include "support/scripted_server.h"

namespace firstword::net {
namespace {

using support::ScriptedServer;
using Peer = ScriptedServer::Peer;

// How many connections `count` requests in turn need when each connection serves `script`.
int ConnectionsFor(HttpRequest request, int count, const ScriptedServer::Script& script) {
  std::atomic<int> connections = 0;
  ScriptedServer server([&](const Peer& peer, int connection) {
    ++connections;
    script(peer, connection);
  });
  request.url = ParseUrl(server.Url()).value();
  FetchInTurn(request, count, [](const Result<HttpResponse>& response) {
    EXPECT_TRUE(response) << response.error().message;
  });
  return connections;
}

ScriptedServer::Script AnswersEach(int requests, const std::string& answer) {
  return [=](const Peer& peer, int) {
    for (int i = 0; i < requests; ++i) {
      if (peer.ReadRequest().empty()) return;
      peer.Send(answer);
    }
  };
}

TEST(HttpClientLifetimeTest, KeepsConnectionsAndSurvivesThatTheyWereClosed) {
  const HttpRequest request = RequestFor("http://h/");
  // Each is closed after two answers without a word.
  EXPECT_EQ(ConnectionsFor(request, 6, AnswersEach(2, Answer("ok"))), 3);
}

TEST(HttpClientLifetimeTest, KeepsNoConnectionThatMustNotBe) {
  const HttpRequest request = RequestFor("http://h/");
  EXPECT_EQ(ConnectionsFor(request, 3, AnswersEach(1, "HTTP/1.1 200 OK\r\n\r\nto the end")), 3);
  EXPECT_EQ(ConnectionsFor(request, 3, AnswersEach(9, Answer("x", "Connection: close\r\n"))), 3);
  EXPECT_EQ(ConnectionsFor(request, 3, AnswersEach(9, Answer("x") + "bytes behind it")), 3);
}

TEST(HttpClientLifetimeTest, RepeatsOnlyWhatIsHarmless) {
  ScriptedServer server(AnswersEach(1, Answer("ok")));
  HttpRequest request = RequestFor(server.Url());
  request.method = "POST";
  std::vector<bool> answered;
  FetchInTurn(request, 2,
              [&](const Result<HttpResponse>& response) { answered.push_back(bool{response}); });
  EXPECT_EQ(answered, (std::vector<bool>{true, false}));
}

TEST(HttpClientLifetimeTest, CancelsWhatIsUnderWayWhenItEnds) {
  ScriptedServer server([](const Peer& peer, int) { peer.WaitForHangup(); });
  EventLoop loop;
  std::optional<Result<HttpResponse>> result;
  {
    HttpClient client(loop);
    client.Fetch(RequestFor(server.Url()),
                 [&](Result<HttpResponse> response) { result = std::move(response); });
    loop.RunFor(std::chrono::milliseconds(20));
  }
  ASSERT_TRUE(result.has_value());
  ASSERT_FALSE(*result);
  EXPECT_EQ(result->error().code, ErrorCode::kCancelled);
}

TEST(HttpClientLifetimeTest, CancelsWhatIsUnderWayWhenTheLoopEnds) {
  ScriptedServer server([](const Peer& peer, int) { peer.WaitForHangup(); });
  std::vector<ErrorCode> codes;
  const auto note = [&](const Result<HttpResponse>& response) {
    codes.push_back(response ? ErrorCode::kInvalid : response.error().code);
  };
  auto loop = std::make_unique<EventLoop>();
  HttpClient client(*loop);
  client.Fetch(RequestFor(server.Url()), note);
  loop->RunFor(std::chrono::milliseconds(1));
  client.Fetch(RequestFor("http://no-such-name.invalid/"), note);  // not even begun
  loop.reset();
  EXPECT_EQ(codes, std::vector<ErrorCode>(2, ErrorCode::kCancelled));
  client.Fetch(RequestFor(server.Url()), note);
  EXPECT_EQ(codes, std::vector<ErrorCode>(3, ErrorCode::kCancelled)) << "no loop, no wait";
}

TEST(HttpClientLifetimeTest, EndsWhileANameIsLookedUp) {
  int called = 0;
  {
    EventLoop loop;
    HttpClient client(loop);
    client.Fetch(RequestFor("http://no-such-name.invalid/"),
                 [&](const Result<HttpResponse>& response) {
                   EXPECT_FALSE(response);
                   ++called;
                 });
    loop.RunFor(std::chrono::milliseconds(0));
  }
  EXPECT_EQ(called, 1);
}

TEST(HttpClientLifetimeTest, MayEndInItsOwnCallback) {
  ScriptedServer server(Says(Answer("ok")));
  EventLoop loop;
  auto client = std::make_unique<HttpClient>(loop);
  int answered = 0;
  int cancelled = 0;
  for (int i = 0; i < 3; ++i) {
    client->Fetch(RequestFor(server.Url()), [&](const Result<HttpResponse>& response) {
      ++(response ? answered : cancelled);
      client.reset();
    });
  }
  loop.Run();
  EXPECT_EQ(answered, 1);
  EXPECT_EQ(cancelled, 2);
}

TEST(EventLoopTest, DoesNotForgetAStopThatCameEarly) {
  EventLoop loop;
  bool late = false;
  loop.After(std::chrono::hours(1), [&] { late = true; });
  loop.Stop();
  loop.Run();
  EXPECT_FALSE(late);
  bool ran = false;
  loop.Post([&] {
    ran = true;
    loop.Stop();
  });
  loop.Run();
  EXPECT_TRUE(ran) << "the stop was for the first run";
}

}  // namespace
}  // namespace firstword::net
