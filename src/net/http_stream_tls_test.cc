#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "net/http_client.h"
#include "net/http_server.h"
#include "net/test_requests.h"
#include "net/test_stream_server.h"
#include "net/timer.h"
#include "support/certificate.h"

namespace firstword::net {
namespace {

using support::Certificate;

// A server that speaks TLS and keeps its replies, and a client on the same loop.
class HttpStreamTlsTest : public testing::Test {
 protected:
  // Fetches; `answer` is called when the request has come.
  Result<HttpResponse> Fetch(const std::function<void(Reply&)>& answer, bool keep = true) {
    HttpRequest request =
        RequestFor("https://127.0.0.1:" + std::to_string(server_.port) + "/stream");
    request.tls.ca_file = certificate_.cert_file();
    if (!keep) request.headers.emplace_back("Connection", "close");
    std::optional<Result<HttpResponse>> result;
    const std::size_t before = server_.replies.size();
    client_->Fetch(request, [&](Result<HttpResponse> response) { result = std::move(response); });
    EXPECT_TRUE(RunUntil(*server_.loop, [&] { return server_.replies.size() > before; }));
    answer(*server_.replies.back());
    EXPECT_TRUE(RunUntil(*server_.loop, [&] { return result.has_value(); }));
    return result.value_or(Fail(ErrorCode::kTimeout, "nothing came"));
  }

  Certificate certificate_{"127.0.0.1"};
  StreamServer server_{
      {.tls_cert_file = certificate_.cert_file(), .tls_key_file = certificate_.key_file()}};
  std::unique_ptr<HttpClient> client_ = std::make_unique<HttpClient>(*server_.loop);
};

TEST_F(HttpStreamTlsTest, StreamsOnKeptAndClosedConnections) {
  std::string want;
  for (int i = 0; i < 150; ++i) want += std::to_string(i) + std::string(20'000, 'x');
  for (const bool keep : {true, true, false, true}) {
    const auto response = Fetch(
        [&](Reply& reply) {
          reply.Begin(200, "text/event-stream");
          for (std::size_t at = 0; at < want.size(); at += 30'000) {
            reply.Write(std::string_view(want).substr(at, 30'000));
          }
          reply.End();
        },
        keep);
    ASSERT_TRUE(response) << response.error().message;
    EXPECT_EQ(response->body, want);
  }
}

TEST_F(HttpStreamTlsTest, WritesOverTime) {
  Timer timer(*server_.loop);
  int written = 0;
  std::function<void()> write;
  const auto response = Fetch([&](Reply& reply) {
    reply.Begin(200, "text/event-stream");
    write = [&] {
      if (++written > 20) return reply.End();
      reply.Write("event ");
      timer.Arm(std::chrono::steady_clock::now() + std::chrono::microseconds(200), write);
    };
    write();
  });
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->body.size(), 20u * 6);
}

TEST_F(HttpStreamTlsTest, SeesThatTheClientWentAway) {
  int closed = 0;
  const auto response = Fetch([&](Reply& reply) {
    reply.OnClose([&] { ++closed; });
    reply.Begin(200, "text/event-stream");
    client_.reset();
  });
  EXPECT_FALSE(response);
  EXPECT_TRUE(RunUntil(*server_.loop, [&] { return closed > 0; }));
  EXPECT_FALSE(server_.replies.back()->open());
  EXPECT_EQ(closed, 1);
}

TEST_F(HttpStreamTlsTest, EndsAmidAStream) {
  const auto response = Fetch([&](Reply& reply) {
    reply.Begin(200, "text/event-stream");
    for (int i = 0; i < 3; ++i) reply.Write(std::string(1'000'000, 'x'));
    EXPECT_GT(reply.unsent_bytes(), 3'000'000u);
    server_.server.reset();
    EXPECT_FALSE(reply.open());
  });
  EXPECT_FALSE(response);
}

}  // namespace
}  // namespace firstword::net
