#include "net/http_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <string>

#include "net/gzip.h"
#include "net/http_server.h"
#include "net/test_requests.h"
#include "support/scripted_server.h"

namespace firstword::net {
namespace {

using support::ScriptedServer;
using testing::HasSubstr;
using Peer = ScriptedServer::Peer;

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
  f("HTTP/1.1 304 Not Modified\r\nContent-Length: 50\r\n\r\n", "");
  f("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + Answer("a 1\n"), "a 1\n");
  const std::string packed = Gzip("packed");
  f(Answer(packed, "Content-Encoding: gzip\r\n"), "packed");
}

// The request as the server sees it, without its final blank line.
std::string Sent(HttpRequest request, std::string_view path = "/metrics") {
  std::string seen;
  {
    ScriptedServer server([&](const Peer& peer, int) {
      seen = peer.ReadRequest();
      peer.Send(Answer("ok"));
    });
    const Url credentials = request.url;
    request.url = ParseUrl(server.Url(path)).value();
    request.url.user = credentials.user;
    request.url.password = credentials.password;
    const Result<HttpResponse> response = FetchOnce(request);
    EXPECT_TRUE(response) << response.error().message;
    const std::string port = std::to_string(server.port());
    if (const std::size_t at = seen.find(port); at != std::string::npos) {
      seen.replace(at, port.size(), "PORT");
    }
  }
  return seen.substr(0, seen.find("\r\n\r\n"));
}

TEST(HttpClientTest, SendsWhatWasAsked) {
  HttpRequest request = RequestFor("http://h/");
  EXPECT_EQ(Sent(request, "/metrics?name[]=a"),
            "GET /metrics?name[]=a HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n"
            "User-Agent: firstword\r\nAccept-Encoding: gzip");
  request.accept_gzip = false;
  request.headers = {{"Accept", "text/plain"}, {"user-agent", "own"}, {"HOST", "virtual"}};
  EXPECT_EQ(Sent(request),
            "GET /metrics HTTP/1.1\r\nAccept: text/plain\r\nuser-agent: own\r\nHOST: virtual");
}

TEST(HttpClientTest, SendsCredentials) {
  HttpRequest request = RequestFor("http://you:other@h/");
  EXPECT_THAT(Sent(request), HasSubstr("\r\nAuthorization: Basic eW91Om90aGVy"));
  request.basic_user = "me";
  request.basic_password = "p@ss";
  EXPECT_THAT(Sent(request), HasSubstr("\r\nAuthorization: Basic bWU6cEBzcw=="));
  request.bearer_token = "token";
  EXPECT_THAT(Sent(request), HasSubstr("\r\nAuthorization: Bearer token"));
}

TEST(HttpClientTest, AsksOverIpV6) {
  EventLoop loop;
  auto server =
      HttpServer::Listen(loop, {.address = "::1", .tls_cert_file = {}, .tls_key_file = {}},
                         [](const ServerRequest& request) {
                           return ServerResponse{.headers = {}, .body = request.target};
                         });
  if (!server) GTEST_SKIP() << "no ::1 here: " << server.error().message;
  const std::string url = "http://[::1]:" + std::to_string((*server)->port()) + "/m";
  const Result<HttpResponse> response = FetchOn(loop, RequestFor(url));
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->body, "/m");
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

}  // namespace
}  // namespace firstword::net
