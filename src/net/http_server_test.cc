#include "net/http_server.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "net/http_client.h"

namespace firstword::net {
namespace {

ServerResponse Echo(const ServerRequest& request) {
  return {.headers = {{"X-Method", request.method}}, .body = request.target};
}

// Fetches `url` from a server on the same loop.
Result<HttpResponse> Get(EventLoop& loop, HttpRequest request) {
  HttpClient client(loop);
  Result<HttpResponse> result = Fail(ErrorCode::kCancelled, "nothing came");
  client.Fetch(std::move(request), [&](Result<HttpResponse> response) {
    result = std::move(response);
    loop.Stop();
  });
  loop.Run();
  return result;
}

HttpRequest RequestFor(const std::string& url) {
  HttpRequest request;
  request.url = ParseUrl(url).value();
  return request;
}

TEST(HttpServerTest, AnswersOnTcpAndUnixSockets) {
  EventLoop loop;
  auto tcp = HttpServer::Listen(loop, {}, Echo);
  ASSERT_TRUE(tcp) << tcp.error().message;
  const std::string tcp_url = "http://127.0.0.1:" + std::to_string((*tcp)->port()) + "/a?b";
  EXPECT_EQ(Get(loop, RequestFor(tcp_url)).value().body, "/a?b");

  const std::string path =
      std::filesystem::temp_directory_path() / ("firstword_test_" + std::to_string(::getpid()));
  {
    auto unix_server = HttpServer::Listen(
        loop, {.address = "unix:" + path, .tls_cert_file = {}, .tls_key_file = {}}, Echo);
    ASSERT_TRUE(unix_server) << unix_server.error().message;
    EXPECT_EQ(Get(loop, RequestFor("unix://" + path + ":/m")).value().body, "/m");
  }
  EXPECT_FALSE(std::filesystem::exists(path)) << "the socket file goes with the server";
}

TEST(HttpServerTest, AnswersHeadWithoutABody) {
  EventLoop loop;
  auto server = HttpServer::Listen(loop, {}, Echo);
  HttpRequest request = RequestFor("http://127.0.0.1:" + std::to_string((*server)->port()) + "/x");
  request.headers = {{"X-Big", std::string(1000, 'x')}};
  EXPECT_EQ(Get(loop, request).value().status, 200);
}

TEST(HttpServerTest, RefusesHugeHeaders) {
  EventLoop loop;
  auto server = HttpServer::Listen(loop, {}, Echo);
  HttpRequest request = RequestFor("http://127.0.0.1:" + std::to_string((*server)->port()) + "/x");
  for (int i = 0; i < 4; ++i) {
    request.headers.emplace_back("X-Big" + std::to_string(i), std::string(30'000, 'x'));
  }
  EXPECT_EQ(Get(loop, request).value().status, 431);
}

TEST(HttpServerTest, SaysWhyItCannotListen) {
  EventLoop loop;
  auto server = HttpServer::Listen(loop, {}, Echo);
  const std::uint16_t port = (*server)->port();
  auto again =
      HttpServer::Listen(loop, {.port = port, .tls_cert_file = {}, .tls_key_file = {}}, Echo);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().message,
            "cannot listen on 127.0.0.1:" + std::to_string(port) + ": Address already in use");
  auto nonsense = HttpServer::Listen(
      loop, {.address = "nowhere", .tls_cert_file = {}, .tls_key_file = {}}, Echo);
  ASSERT_FALSE(nonsense);
  EXPECT_EQ(nonsense.error().message, "cannot listen on nowhere:0: not an IP address");
}

}  // namespace
}  // namespace firstword::net
