#include "net/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <thread>

#include "net/test_raw_client.h"
#include "net/test_requests.h"

namespace firstword::net {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

ServerResponse Echo(const ServerRequest& request) {
  return {.headers = {{"X-Method", request.method}}, .body = request.target + request.body};
}

ListenOptions On(std::string address, std::uint16_t port = 0) {
  ListenOptions options;
  options.address = std::move(address);
  options.port = port;
  return options;
}

std::string UrlOf(const HttpServer& server, std::string_view path) {
  return "http://127.0.0.1:" + std::to_string(server.port()) + std::string(path);
}

// What the server says to these bytes until it closes the connection.
std::string ReplyTo(std::string_view bytes, ListenOptions options = {}) {
  EventLoop loop;
  auto server = HttpServer::Listen(loop, std::move(options), Echo);
  EXPECT_TRUE(server);
  std::string reply;
  std::thread client([&, port = (*server)->port()] {
    const RawClient raw(port);
    raw.Send(bytes);
    reply = raw.ReadAll();
    loop.Stop();
  });
  loop.Run();
  client.join();
  return reply;
}

TEST(HttpServerTest, AnswersOnTcpAndUnixSockets) {
  EventLoop loop;
  auto tcp = HttpServer::Listen(loop, {}, Echo);
  ASSERT_TRUE(tcp) << tcp.error().message;
  EXPECT_EQ(FetchOn(loop, RequestFor(UrlOf(**tcp, "/a?b"))).value().body, "/a?b");

  const std::string path =
      std::filesystem::temp_directory_path() / ("firstword_test_" + std::to_string(::getpid()));
  {
    auto server = HttpServer::Listen(loop, On("unix:" + path), Echo);
    ASSERT_TRUE(server) << server.error().message;
    EXPECT_EQ(FetchOn(loop, RequestFor("unix://" + path + ":/m")).value().body, "/m");
    auto second = HttpServer::Listen(loop, On("unix:" + path), Echo);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().message,
              "cannot listen on " + path + ": another program listens there");
  }
  EXPECT_FALSE(std::filesystem::exists(path)) << "the socket file goes with the server";
}

TEST(HttpServerTest, ReplacesTheSocketOfADeadProgramButNoFile) {
  const std::string path =
      std::filesystem::temp_directory_path() / ("firstword_dead_" + std::to_string(::getpid()));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  const int dead = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(dead, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  ::close(dead);
  EventLoop loop;
  EXPECT_TRUE(HttpServer::Listen(loop, On("unix:" + path), Echo));
  EXPECT_FALSE(HttpServer::Listen(loop, On("unix:/dev/null"), Echo));
  EXPECT_TRUE(std::filesystem::exists("/dev/null"));
}

TEST(HttpServerTest, KeepsTheConnectionUntilTheClientIsDone) {
  const std::string replies = ReplyTo(
      "GET /1 HTTP/1.1\r\nHost: h\r\n\r\nPOST /2 HTTP/1.1\r\nHost: h\r\nContent-Length: "
      "4\r\n\r\nbody"
      "GET /3 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(replies, HasSubstr("\r\n\r\n/1HTTP/1.1 200"));
  EXPECT_THAT(replies, HasSubstr("\r\n\r\n/2bodyHTTP/1.1 200"));
  EXPECT_THAT(replies, EndsWith("\r\n\r\n/3"));
  EXPECT_THAT(ReplyTo("GET /old HTTP/1.0\r\n\r\n"), EndsWith("\r\n\r\n/old"));
}

TEST(HttpServerTest, AnswersHeadWithoutABody) {
  const std::string reply = ReplyTo("HEAD /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(reply, HasSubstr("X-Method: HEAD\r\n"));
  EXPECT_THAT(reply, HasSubstr("Content-Length: 2\r\n"));
  EXPECT_THAT(reply, EndsWith("\r\n\r\n"));
  EventLoop loop;
  auto server = HttpServer::Listen(loop, {}, Echo);
  HttpRequest request = RequestFor(UrlOf(**server, "/x"));
  request.method = "HEAD";
  EXPECT_EQ(FetchOn(loop, request).value().body, "");
}

TEST(HttpServerTest, RefusesWhatIsNoSoundRequest) {
  const ListenOptions small{.max_request_bytes = 1000, .tls_cert_file = {}, .tls_key_file = {}};
  auto f = [&](const std::string& bytes, std::string_view status) {
    EXPECT_THAT(ReplyTo(bytes, small), StartsWith("HTTP/1.1 " + std::string(status)))
        << bytes.substr(0, 80);
  };
  f("nonsense\r\n\r\n", "400");
  f("GET / HTTP/9.9\r\n\r\n", "400");
  f("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "400");
  f("GET / HTTP/1.1\r\nbroken header\r\n\r\n", "400");
  f("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "400");
  f("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "400");
  f("POST / HTTP/1.1\r\nContent-Length: 1001\r\n\r\n", "413");
  f("POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n" + std::string(1'000'000, 'x'), "413");
  f("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n7d0\r\n" + std::string(2000, 'x'), "413");
  f("GET / HTTP/1.1\r\nX: " + std::string(100'000, 'x') + "\r\n\r\n", "431");
}

TEST(HttpServerTest, CutsOffWhoIsTooSlow) {
  const ListenOptions hurried{
      .idle_timeout = std::chrono::milliseconds(50), .tls_cert_file = {}, .tls_key_file = {}};
  EXPECT_EQ(ReplyTo("", hurried), "");
  EXPECT_EQ(ReplyTo("GET / HTTP/1.1\r\nHost", hurried), "");
  EXPECT_EQ(ReplyTo("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nab", hurried), "");
  EXPECT_THAT(ReplyTo("GET /kept HTTP/1.1\r\nHost: h\r\n\r\n", hurried), EndsWith("/kept"));
}

TEST(HttpServerTest, ClosesConnectionsPastTheLimitAtOnce) {
  const ListenOptions none{.max_connections = 0, .tls_cert_file = {}, .tls_key_file = {}};
  EXPECT_EQ(ReplyTo("", none), "");
}

TEST(HttpServerTest, ClosesItsConnectionsAtItsEnd) {
  EventLoop loop;
  auto server = HttpServer::Listen(loop, {}, [&](const ServerRequest& request) {
    loop.Stop();
    return Echo(request);
  });
  std::string reply;
  std::thread client([&, port = (*server)->port()] {
    const RawClient raw(port);
    raw.Send("GET /last HTTP/1.1\r\nHost: h\r\n\r\n");
    reply = raw.ReadAll();
  });
  loop.Run();
  server->reset();
  client.join();
  EXPECT_THAT(reply, testing::AnyOf("", EndsWith("/last")));
}

TEST(HttpServerTest, EndsWithItsLoop) {
  auto loop = std::make_unique<EventLoop>();
  auto server = HttpServer::Listen(*loop, {}, Echo);
  ASSERT_TRUE(server);
  const std::uint16_t port = (*server)->port();
  loop.reset();
  EventLoop other;
  EXPECT_TRUE(HttpServer::Listen(other, On("127.0.0.1", port), Echo)) << "the port is free again";
}

TEST(HttpServerTest, SaysWhyItCannotListen) {
  EventLoop loop;
  auto server = HttpServer::Listen(loop, {}, Echo);
  const std::uint16_t port = (*server)->port();
  auto f = [&](ListenOptions options, const std::string& message, std::string_view hint) {
    auto failed = HttpServer::Listen(loop, std::move(options), Echo);
    ASSERT_FALSE(failed) << message;
    EXPECT_EQ(failed.error().message, message);
    EXPECT_THAT(failed.error().hint, HasSubstr(hint));
  };
  f(On("127.0.0.1", port),
    "cannot listen on 127.0.0.1:" + std::to_string(port) + ": Address already in use",
    "choose one that is free");
  f(On("nowhere"), "cannot listen on nowhere:0: not an IP address", "write 127.0.0.1");
  f(On("203.0.113.1", 80), "cannot listen on 203.0.113.1:80: Cannot assign requested address",
    "choose another address");
  if (auto six = HttpServer::Listen(loop, On("::1"), Echo)) {
    const std::uint16_t taken = (*six)->port();
    f(On("::1", taken),
      "cannot listen on [::1]:" + std::to_string(taken) + ": Address already in use",
      "choose one that is free");
  }
  f(On("unix:"), "cannot listen on : a socket's path has 1 to 107 bytes", "");
  f(On("unix:/nowhere/x.sock"), "cannot listen on /nowhere/x.sock: No such file or directory",
    "does the folder exist");
  ListenOptions tls;
  tls.tls_cert_file = tls.tls_key_file = "/nowhere.pem";
  f(tls, "cannot use the certificate /nowhere.pem: No such file or directory", "readable PEM");
}

}  // namespace
}  // namespace firstword::net
