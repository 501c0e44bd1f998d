#include "net/http_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <string>

#include "net/gzip.h"
#include "net/http_server.h"
#include "support/scripted_server.h"

namespace firstword::net {
namespace {

using support::ScriptedServer;
using testing::HasSubstr;
using Peer = ScriptedServer::Peer;

HttpRequest RequestFor(std::string_view url) {
  HttpRequest request;
  request.url = ParseUrl(url).value();
  request.timeout = std::chrono::seconds(20);
  return request;
}

std::string Answer(std::string_view body, std::string_view headers = "") {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
         std::string(headers) + "\r\n" + std::string(body);
}

// Serves one script and returns how FetchOnce() failed on it.
Error FailureOn(ScriptedServer::Script script,
                std::optional<std::chrono::milliseconds> timeout = {}) {
  ScriptedServer server(std::move(script));
  HttpRequest request = RequestFor(server.Url());
  request.max_body_bytes = 100'000;
  if (timeout) request.timeout = *timeout;
  Result<HttpResponse> response = FetchOnce(request);
  if (response) return {ErrorCode::kInvalid, "no failure: " + response->body, ""};
  // Every message names the URL first.
  EXPECT_TRUE(response.error().message.starts_with(server.Url() + ": "))
      << response.error().message;
  Error error = response.error();
  error.message.erase(0, server.Url().size() + 2);
  return error;
}

ScriptedServer::Script Says(std::string bytes) {
  return [bytes = std::move(bytes)](const Peer& peer, int) {
    peer.ReadRequest();
    peer.Send(bytes);
  };
}

TEST(HttpClientTest, ReadsBodiesInEveryFraming) {
  auto f = [](std::string bytes, std::string_view want) {
    ScriptedServer server(Says(std::move(bytes)));
    Result<HttpResponse> response = FetchOnce(RequestFor(server.Url()));
    ASSERT_TRUE(response) << response.error().message;
    EXPECT_EQ(response->body, want);
    EXPECT_EQ(response->final_url, server.Url());
  };
  f(Answer("a 1\n"), "a 1\n");
  f("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\na \r\n2;x=y\r\n1\n\r\n0\r\n\r\n",
    "a 1\n");
  f("HTTP/1.0 200 OK\r\n\r\nuntil the end", "until the end");
  f("HTTP/1.1 204 No Content\r\n\r\n", "");
  const std::string packed = Gzip("packed");
  f(Answer(packed, "Content-Encoding: gzip\r\n"), "packed");
}

TEST(HttpClientTest, NamesEveryBrokenAnswer) {
  auto f = [](std::string bytes, std::string_view message) {
    const Error error = FailureOn(Says(bytes));
    EXPECT_THAT(error.message, HasSubstr(message)) << bytes.substr(0, 80);
  };
  f("", "the server closed the connection without an answer");
  f("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
    "the connection ended after 5 of 100 bytes of the answer");
  f("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "the answer is broken after 0 bytes");
  f("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
    "the connection ended after 2 bytes of the answer");
  f("SSH-2.0-OpenSSH_9.2\r\n", "the answer is not HTTP");
  f("\x15\x03\x01\x00\x02\x02\x28", "the server answers in TLS");
  f("HTTP/1.1 200 OK\r\nX: " + std::string(100'000, 'x') + "\r\n\r\n",
    "the answer's headers are larger than 65536 bytes");
  f(Answer("not gzip", "Content-Encoding: gzip\r\n"), "broken gzip data");
  f(Answer(Gzip("cut off").substr(0, 15), "Content-Encoding: gzip\r\n"),
    "the gzip data ends too early");
  f(Answer("x", "Content-Encoding: br\r\n"),
    "the answer is encoded as br, which was not asked for");
  f(Answer(Gzip(std::string(10 << 20, 'x')), "Content-Encoding: gzip\r\n"),
    "the answer is larger than 100000 bytes");
  f(Answer(std::string(200'000, 'x')), "the answer is larger than 100000 bytes");
}

TEST(HttpClientTest, CutsAnEndlessBody) {
  std::atomic<std::size_t> sent = 0;
  const Error error = FailureOn([&](const Peer& peer, int) {
    peer.ReadRequest();
    peer.Send("HTTP/1.1 200 OK\r\n\r\n");
    const std::string piece(1000, 'x');
    while (peer.Send(piece)) sent += piece.size();
  });
  EXPECT_EQ(error.code, ErrorCode::kLimit);
  EXPECT_EQ(error.message, "the answer is larger than 100000 bytes");
  EXPECT_LT(sent, std::size_t{32} << 20) << "what socket buffers hold may be on its way, no more";
}

TEST(HttpClientTest, SaysInWhichPhaseTheTimeRanOut) {
  using std::chrono::milliseconds;
  Error error = FailureOn([](const Peer& peer, int) { peer.WaitForHangup(); }, milliseconds(60));
  EXPECT_EQ(error.code, ErrorCode::kTimeout);
  EXPECT_EQ(error.message, "connected, but no answer within 60 ms");
  error = FailureOn(
      [](const Peer& peer, int) {
        peer.ReadRequest();
        peer.Send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc");
        peer.WaitForHangup();
      },
      milliseconds(60));
  EXPECT_EQ(error.message, "the answer was not complete within 60 ms: 3 bytes had come");
}

TEST(HttpClientTest, SaysThatNobodyListens) {
  std::uint16_t port = 0;
  {
    port = ScriptedServer([](const Peer&, int) {}).port();
  }
  const std::string url = "http://127.0.0.1:" + std::to_string(port) + "/metrics";
  Result<HttpResponse> response = FetchOnce(RequestFor(url));
  ASSERT_FALSE(response);
  EXPECT_EQ(
      response.error().ToString(),
      url + ": cannot connect: connection refused (is the server running, and is this its port?)");
  response = FetchOnce(RequestFor("unix:///nowhere/engine.sock:/metrics"));
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().message,
            "unix:///nowhere/engine.sock:/metrics: cannot connect: no such socket");
}

TEST(HttpClientTest, FollowsRedirectsButNotForEver) {
  ScriptedServer server([](const Peer& peer, int) {
    const std::string request = peer.ReadRequest();
    if (request.starts_with("GET /metrics ")) {
      peer.Send(
          "HTTP/1.1 307 Moved\r\nLocation: /metrics/\r\nContent-Length: 0\r\nConnection: "
          "close\r\n\r\n");
    } else if (request.starts_with("GET /loop")) {
      peer.Send(
          "HTTP/1.1 302 Moved\r\nLocation: loop\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    } else {
      peer.Send(Answer("arrived"));
    }
  });
  Result<HttpResponse> response = FetchOnce(RequestFor(server.Url("/metrics")));
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->body, "arrived");
  EXPECT_EQ(response->final_url, server.Url("/metrics/"));
  response = FetchOnce(RequestFor(server.Url("/loop")));
  ASSERT_FALSE(response);
  EXPECT_THAT(response.error().message, HasSubstr("more than 5 redirects"));
}

TEST(HttpClientTest, TellsAnotherOriginNoCredentials) {
  std::string seen;
  ScriptedServer other([&](const Peer& peer, int) {
    seen = peer.ReadRequest();
    peer.Send(Answer("other"));
  });
  std::string first;
  ScriptedServer server([&](const Peer& peer, int) {
    first = peer.ReadRequest();
    peer.Send("HTTP/1.1 302 Found\r\nLocation: " + other.Url("/x") +
              "\r\nContent-Length: 0\r\n\r\n");
  });
  HttpRequest request = RequestFor(server.Url());
  request.bearer_token = "secret";
  request.headers = {{"Cookie", "secret"}, {"X-Kept", "yes"}};
  ASSERT_TRUE(FetchOnce(request));
  EXPECT_THAT(first, HasSubstr("Authorization: Bearer secret\r\n"));
  EXPECT_THAT(seen, HasSubstr("X-Kept: yes\r\n"));
  EXPECT_EQ(seen.find("secret"), std::string::npos) << seen;
}

TEST(HttpClientTest, SendsBasicCredentials) {
  std::string seen;
  ScriptedServer server([&](const Peer& peer, int) {
    seen = peer.ReadRequest();
    peer.Send(Answer("ok"));
  });
  HttpRequest request = RequestFor(server.Url());
  request.basic_user = "me";
  request.basic_password = "p@ss";
  ASSERT_TRUE(FetchOnce(request));
  EXPECT_THAT(seen, HasSubstr("Authorization: Basic bWU6cEBzcw==\r\n"));
}

TEST(HttpClientTest, RefusesAHeaderThatCannotBeSent) {
  ScriptedServer server(Says(Answer("ok")));
  HttpRequest request = RequestFor(server.Url());
  request.bearer_token = std::string(100'000, 'x');
  Result<HttpResponse> response = FetchOnce(request);
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kInvalid);
  EXPECT_THAT(response.error().message, HasSubstr("cannot send the request"));
}

TEST(HttpClientTest, KeepsConnectionsAndSurvivesThatTheyWereClosed) {
  std::atomic<int> connections = 0;
  ScriptedServer server([&](const Peer& peer, int) {
    ++connections;
    // Two answers a connection, then it is closed without a word.
    for (int i = 0; i < 2; ++i) {
      if (peer.ReadRequest().empty()) return;
      peer.Send(Answer("ok"));
    }
  });
  EventLoop loop;
  HttpClient client(loop);
  int answered = 0;
  std::function<void()> next = [&] {
    client.Fetch(RequestFor(server.Url()), [&](Result<HttpResponse> response) {
      EXPECT_TRUE(response) << response.error().message;
      if (++answered == 6) {
        loop.Stop();
      } else {
        loop.Post([&] { next(); });
      }
    });
  };
  next();
  loop.Run();
  EXPECT_EQ(answered, 6);
  EXPECT_EQ(connections, 3);
}

TEST(HttpClientTest, FetchesFiftyAtOnce) {
  EventLoop loop;
  auto server = HttpServer::Listen(loop, {}, [](const ServerRequest& request) {
    return ServerResponse{.headers = {}, .body = request.target};
  });
  ASSERT_TRUE(server) << server.error().message;
  HttpClient client(loop);
  int answered = 0;
  for (int i = 0; i < 50; ++i) {
    const std::string path = "/page" + std::to_string(i);
    client.Fetch(RequestFor("http://127.0.0.1:" + std::to_string((*server)->port()) + path),
                 [&, path](Result<HttpResponse> response) {
                   ASSERT_TRUE(response) << response.error().message;
                   EXPECT_EQ(response->body, path);
                   if (++answered == 50) loop.Stop();
                 });
  }
  loop.Run();
  EXPECT_EQ(answered, 50);
}

TEST(HttpClientTest, CancelsWhatIsUnderWayWhenItEnds) {
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

TEST(StatusErrorTest, SaysWhatTheStatusMeansForAScrape) {
  auto f = [](int status, std::string_view message, std::string_view hint) {
    HttpRequest request = RequestFor("http://h:1/metrics");
    HttpResponse response;
    response.status = status;
    response.content_type = "text/plain";
    response.body = "two\n words";
    const Error error = StatusError(request, response);
    EXPECT_EQ(error.message, "http://h:1/metrics: HTTP " + std::to_string(status) + ": " +
                                 std::string(message) + ": \"two words\"");
    EXPECT_THAT(error.hint, HasSubstr(hint));
  };
  f(401, "it asks for credentials", "--bearer-token");
  f(403, "access is forbidden", "may not read");
  f(404, "nothing there", "/v1/metrics (NIM)");
  f(429, "too many requests", "less often");
  f(500, "the server failed", "PROMETHEUS_MULTIPROC_DIR");
  f(501, "not switched on", "--metrics");
  f(503, "the server is not ready", "load the model");
  f(599, "the server failed", "log");
  f(418, "an unexpected answer", "check the address");
}

}  // namespace
}  // namespace firstword::net
