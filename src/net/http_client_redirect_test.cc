#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <string>

#include "net/client_request.h"
#include "net/http_client.h"
#include "net/test_requests.h"
#include "support/scripted_server.h"

namespace firstword::net {
namespace {

using support::ScriptedServer;
using testing::HasSubstr;
using Peer = ScriptedServer::Peer;

TEST(HttpClientRedirectTest, FollowsRedirectsButNotForEver) {
  ScriptedServer server([](const Peer& peer, int) {
    const std::string request = peer.ReadRequest();
    if (request.starts_with("GET /metrics ")) {
      peer.Send(
          "HTTP/1.1 307 Moved\r\nLocation: /metrics/\r\nContent-Length: 0\r\nConnection: "
          "close\r\n\r\n");
    } else if (request.starts_with("GET /loop")) {
      peer.Send(
          "HTTP/1.1 302 Moved\r\nLocation: loop\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    } else if (request.starts_with("GET /on/")) {
      peer.Send("HTTP/1.1 308 Moved\r\nLocation: ../on/" + std::string(request.find(' ', 4), 'x') +
                "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    } else if (request.starts_with("GET /socket")) {
      peer.Send("HTTP/1.1 302 Moved\r\nLocation: unix:///etc/x:/\r\nContent-Length: 0\r\n\r\n");
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
  EXPECT_EQ(response.error().message, server.Url("/loop") + ": redirect loop: it leads back here");
  response = FetchOnce(RequestFor(server.Url("/on/")));
  ASSERT_FALSE(response);
  EXPECT_THAT(response.error().message, HasSubstr(": more than 5 redirects"));
  response = FetchOnce(RequestFor(server.Url("/socket")));
  ASSERT_FALSE(response);
  EXPECT_THAT(response.error().message, HasSubstr(": redirect: redirect to a unix socket"));
}

TEST(HttpClientRedirectTest, TellsAnotherOriginNothingOfTheUsers) {
  std::string first;
  std::string seen;
  {
    ScriptedServer other([&](const Peer& peer, int) {
      seen = peer.ReadRequest();
      peer.Send(Answer("other"));
    });
    ScriptedServer server([&](const Peer& peer, int) {
      first = peer.ReadRequest();
      peer.Send("HTTP/1.1 302 Found\r\nLocation: " + other.Url("/x") +
                "\r\nContent-Length: 0\r\n\r\n");
    });
    HttpRequest request = RequestFor(server.Url());
    request.bearer_token = "secret";
    request.headers = {{"Cookie", "secret"}, {"X-Api-Key", "secret"}, {"Accept", "text/plain"}};
    const Result<HttpResponse> response = FetchOnce(request);
    ASSERT_TRUE(response) << response.error().message;
    EXPECT_EQ(response->final_url, other.Url("/x"));
  }
  EXPECT_THAT(first, HasSubstr("Authorization: Bearer secret\r\n"));
  EXPECT_THAT(seen, HasSubstr("Accept: text/plain\r\n"));
  EXPECT_EQ(seen.find("secret"), std::string::npos) << seen;
}

TEST(HttpClientRedirectTest, KeepsCredentialsOnTheSameOrigin) {
  HttpRequest request = RequestFor("http://u:p@h:1/metrics");
  request.bearer_token = "secret";
  request.tls.server_name = "name";
  ASSERT_TRUE(Redirect("/metrics/", request));
  EXPECT_EQ(request.url.ToString(), "http://h:1/metrics/");
  EXPECT_EQ(request.url.user, "u");
  EXPECT_EQ(request.bearer_token, "secret");
  EXPECT_EQ(request.tls.server_name, "name");
  // Another scheme is another origin; a name to verify belongs to the first server.
  ASSERT_TRUE(Redirect("https://h:1/metrics/", request));
  EXPECT_EQ(request.url.user, "");
  EXPECT_EQ(request.bearer_token, "");
  EXPECT_EQ(request.tls.server_name, "");
}

}  // namespace
}  // namespace firstword::net
