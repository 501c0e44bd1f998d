#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <optional>
#include <string>

#include "net/gzip.h"
#include "net/http_client.h"
#include "net/test_requests.h"
#include "support/scripted_server.h"

namespace firstword::net {
namespace {

using support::ScriptedServer;
using testing::HasSubstr;
using Peer = ScriptedServer::Peer;

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

TEST(HttpClientFaultsTest, NamesEveryBrokenAnswer) {
  auto f = [](const std::string& bytes, std::string_view message) {
    const Error error = FailureOn(Says(bytes));
    EXPECT_THAT(error.message, HasSubstr(message)) << bytes.substr(0, 80);
  };
  f("", "the server closed the connection without an answer");
  f("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
    "the connection ended after 5 of 100 bytes of the answer");
  f("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "the answer is broken after 0 bytes");
  f("HTTP/1.1 abc\r\n\r\n", "the answer is not HTTP");
  f("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    "the answer is not HTTP: multiple Content-Length");
  f("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
    "the connection ended after 2 bytes of the answer");
  f("SSH-2.0-OpenSSH_9.2\r\n", "the answer is not HTTP");
  f(std::string("\x15\x03\x01\x00\x02\x02\x28", 7), "the server answers in TLS");
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

TEST(HttpClientFaultsTest, CutsAnEndlessBody) {
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

TEST(HttpClientFaultsTest, SaysInWhichPhaseTheTimeRanOut) {
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

TEST(HttpClientFaultsTest, EndsAServerThatDripsItsHeaders) {
  const Error error = FailureOn(
      [](const Peer& peer, int) {
        peer.ReadRequest();
        peer.Send("HTTP/1.1 200 OK\r\nX");
        peer.WaitForHangup();
      },
      std::chrono::milliseconds(60));
  EXPECT_EQ(error.code, ErrorCode::kTimeout);
  EXPECT_EQ(error.message,
            "the answer's headers were not complete within 60 ms: 18 bytes had come");
}

TEST(HttpClientFaultsTest, EndsAServerThatNeverShakesHands) {
  ScriptedServer server([](const Peer& peer, int) { peer.WaitForHangup(); });
  HttpRequest request = RequestFor("https://127.0.0.1:" + std::to_string(server.port()));
  request.timeout = std::chrono::milliseconds(60);
  const Result<HttpResponse> response = FetchOnce(request);
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().message, request.url.ToString() + ": no TLS handshake within 60 ms");
}

TEST(HttpClientFaultsTest, SaysThatNobodyListens) {
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

TEST(HttpClientFaultsTest, SendsNothingThatCouldInjectAHeader) {
  auto f = [](std::string_view message, auto change) {
    HttpRequest request = RequestFor("http://127.0.0.1:9/metrics");
    change(request);
    const Result<HttpResponse> response = FetchOnce(request);
    ASSERT_FALSE(response) << message;
    EXPECT_EQ(response.error().code, ErrorCode::kInvalid) << message;
    EXPECT_THAT(response.error().message, testing::EndsWith(message));
  };
  f("the bearer token has a line break or control character",
    [](HttpRequest& request) { request.bearer_token = "secret\n"; });
  f("the bearer token is longer than 16384 bytes",
    [](HttpRequest& request) { request.bearer_token = std::string(100'000, 'x'); });
  f("user and password are longer than 16384 bytes",
    [](HttpRequest& request) { request.basic_password = std::string(100'000, 'x'); });
  f("request header X-Key has a line break or control character",
    [](HttpRequest& request) { request.headers = {{"X-Key", "a\r\nX-Other: b"}}; });
  f("a request header's name is no word",
    [](HttpRequest& request) { request.headers = {{"X: y", "a"}}; });
  f("the method is no word", [](HttpRequest& request) { request.method = "GET /"; });
  f("the URL's path has a line break or control character",
    [](HttpRequest& request) { request.url.target = "/\r\n"; });
}

TEST(HttpClientFaultsTest, NeverLetsAHangUpKillTheProgram) {
  const EventLoop loop;
  struct sigaction action{};
  ASSERT_EQ(::sigaction(SIGPIPE, nullptr, &action), 0);
  EXPECT_EQ(action.sa_handler, SIG_IGN);
}

}  // namespace
}  // namespace firstword::net
