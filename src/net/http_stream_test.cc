#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "net/http_server.h"
#include "net/test_stream_server.h"

namespace firstword::net {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kEvents = "text/event-stream";

TEST(HttpStreamTest, SendsEachWriteAsOneChunkAtOnce) {
  StreamServer s;
  RawClient client(s.port);
  const auto reply = s.Ask(client, "POST /s HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}");
  EXPECT_EQ(s.requests[0].method, "POST");
  EXPECT_EQ(s.requests[0].body, "{}");
  std::string want;
  auto f = [&](auto act, std::string_view more) {
    act();
    want += more;
    EXPECT_EQ(client.Pull(), want) << "without a turn of the loop";
  };
  f([&] { reply->Begin(200, kEvents); }, kStreamHead);
  f([&] { reply->Write("data: a\n\n"); }, "9\r\ndata: a\n\n\r\n");
  f([&] { reply->Write(""); }, "");
  f([&] { reply->Write(std::string(4096, 'x')); }, "1000\r\n" + std::string(4096, 'x') + "\r\n");
  f([&] { reply->Write({"\0\r\n", 3}); }, std::string_view("3\r\n\0\r\n\r\n", 8));
  EXPECT_TRUE(reply->open());
  EXPECT_EQ(reply->unsent_bytes(), 0u);
  f([&] { reply->End(); }, "0\r\n\r\n");
  EXPECT_FALSE(reply->open());
  f([&] { reply->Write("late"); }, "");
  f([&] { reply->End(); }, "");
}

TEST(HttpStreamTest, SendsAWholeAnswerLater) {
  StreamServer s;
  RawClient client(s.port);
  const auto reply = s.Ask(client, kAsk);
  EXPECT_EQ(client.Pull(), "");
  reply->Send({.status = 201,
               .content_type = "application/json",
               .headers = {{"X-Id", "7"}, {"X-Split", "a\r\nb"}, {"Content-Length", "99"}},
               .body = "{}"});
  EXPECT_FALSE(reply->open());
  EXPECT_EQ(client.Pull(),
            "HTTP/1.1 201 Created\r\nServer: firstword\r\nContent-Type: application/json\r\n"
            "X-Id: 7\r\nX-Split: a  b\r\nContent-Length: 2\r\n\r\n{}");
}

TEST(HttpStreamTest, SendsNoBodyWhereThereIsNone) {
  StreamServer s;
  RawClient client(s.port);
  const auto whole = s.Ask(client, kAsk);
  whole->Send({.status = 204, .content_type = "", .headers = {}, .body = "ignored"});
  const std::string none = "HTTP/1.1 204 No Content\r\nServer: firstword\r\n\r\n";
  EXPECT_EQ(client.Pull(), none);
  const auto stream = s.Ask(client, kAsk);
  stream->Begin(204, "");
  stream->Write("ignored");
  stream->End();
  EXPECT_EQ(client.Pull(), none + none);
}

TEST(HttpStreamTest, ServesTheNextRequestOnTheSameConnection) {
  StreamServer s;
  RawClient client(s.port);
  std::string want;
  for (int i = 0; i < 3; ++i) {
    const auto reply = s.Ask(client, kAsk);
    reply->Begin(200, kEvents);
    reply->Write("a");
    reply->End();
    want += std::string(kStreamHead) + "1\r\na\r\n0\r\n\r\n";
    EXPECT_EQ(s.See(client, want.size()), want);
  }
  EXPECT_FALSE(client.ended());
}

TEST(HttpStreamTest, EndsTheConnectionWhenTheClientAsksForIt) {
  StreamServer s;
  RawClient client(s.port);
  const auto reply = s.Ask(client, "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  reply->Begin(200, kEvents);
  reply->Write("a");
  reply->End();
  EXPECT_TRUE(s.SeeEnd(client));
  EXPECT_THAT(client.Pull(), HasSubstr("Connection: close\r\n"));
  EXPECT_THAT(client.Pull(), EndsWith("\r\n\r\n1\r\na\r\n0\r\n\r\n"));
  EXPECT_FALSE(client.reset());
}

TEST(HttpStreamTest, EndsTheBodyWithTheConnectionForHttp10) {
  StreamServer s;
  RawClient client(s.port);
  const auto reply = s.Ask(client, "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  reply->Begin(200, kEvents);
  reply->Write("a");
  reply->Write("b");
  EXPECT_EQ(client.Pull(),
            "HTTP/1.0 200 OK\r\nServer: firstword\r\nContent-Type: text/event-stream\r\n\r\nab");
  reply->End();
  EXPECT_TRUE(s.SeeEnd(client));
  EXPECT_FALSE(client.reset());
  EXPECT_THAT(client.Pull(), EndsWith("\r\n\r\nab"));
}

TEST(HttpStreamTest, AnswersHeadWithTheHeadOnly) {
  StreamServer s;
  RawClient client(s.port);
  auto reply = s.Ask(client, "HEAD / HTTP/1.1\r\nHost: h\r\n\r\n");
  reply->Begin(200, kEvents);
  reply->Write("a");
  reply->End();
  EXPECT_EQ(client.Pull(), kStreamHead);
  reply = s.Ask(client, kAsk);
  reply->Send({.headers = {}, .body = "next"});
  EXPECT_THAT(client.Pull(), EndsWith("\r\n\r\nnext"));
}

TEST(HttpStreamTest, KeepsEarlyRequestsForTheirTurn) {
  StreamServer s;
  RawClient client(s.port);
  const auto first = s.Ask(client, std::string(kAsk) + "GET /2 HTTP/1.1\r\nHost: h\r\n");
  first->Begin(200, kEvents);
  first->Write("1");
  client.Send("\r\nGET /3 HTTP/1.1\r\nHost: h\r\n\r\n");
  s.loop->RunFor(std::chrono::milliseconds(5));
  ASSERT_EQ(s.replies.size(), 1u) << "one after the other";
  EXPECT_TRUE(first->open());
  first->End();
  EXPECT_EQ(s.replies.size(), 1u) << "no handler runs inside End()";
  for (std::size_t i = 1; i < 3; ++i) {
    ASSERT_TRUE(RunUntil(*s.loop, [&] { return s.replies.size() > i; }));
    EXPECT_EQ(s.requests[i].target, "/" + std::to_string(i + 1));
    s.replies[i]->Send({.headers = {}, .body = "answer " + std::to_string(i + 1)});
  }
  EXPECT_THAT(client.Pull(), StartsWith(std::string(kStreamHead) + "1\r\n1\r\n0\r\n\r\nHTTP/1.1 "));
  EXPECT_THAT(client.Pull(), HasSubstr("answer 2HTTP/1.1 200 OK"));
  EXPECT_THAT(client.Pull(), EndsWith("answer 3"));
}

TEST(HttpStreamTest, LosesNothingOfManyEarlyBytes) {
  StreamServer s;
  RawClient client(s.port);
  const auto reply = s.Ask(client, kAsk);
  constexpr int kMore = 5000;  // more than is read ahead
  for (int i = 0; i < kMore; ++i) client.Send(kAsk);
  s.loop->RunFor(std::chrono::milliseconds(20));
  EXPECT_EQ(s.replies.size(), 1u);
  for (std::size_t i = 0; i <= kMore; ++i) {
    ASSERT_TRUE(RunUntil(*s.loop, [&] { return s.replies.size() > i; })) << i;
    s.replies[i]->Send({.status = 204, .headers = {}, .body = {}});
  }
}

TEST(HttpStreamTest, AnswersForAReplyThatWasDropped) {
  ListenOptions options;
  options.error_page = [](int status, std::string_view reason) {
    return ServerResponse{.content_type = "application/json",
                          .headers = {},
                          .body = std::to_string(status) + std::string(reason)};
  };
  for (const bool page : {false, true}) {
    StreamServer s(page ? options : ListenOptions{});
    RawClient client(s.port);
    s.Ask(client, kAsk).reset();
    s.replies.clear();
    EXPECT_THAT(client.Pull(), StartsWith("HTTP/1.1 500 Internal Server Error\r\n"));
    EXPECT_THAT(client.Pull(), EndsWith(page ? "\r\n\r\n500internal server error"
                                             : "\r\n\r\ninternal server error\n"));
  }
}

TEST(HttpStreamTest, CutsOffAStreamThatWasDropped) {
  StreamServer s;
  auto f = [&](std::string_view request, bool reset) {
    RawClient client(s.port);
    s.Ask(client, request)->Begin(200, kEvents);
    s.replies.back()->Write("a");
    s.See(client, 1);
    s.replies.clear();
    EXPECT_TRUE(s.SeeEnd(client));
    EXPECT_THAT(client.Pull(), testing::Not(HasSubstr("0\r\n\r\n")));
    EXPECT_EQ(client.reset(), reset) << "how else would it know that the body is cut?";
  };
  f(kAsk, false);
  f("GET / HTTP/1.0\r\n\r\n", true);
}

TEST(HttpStreamTest, SaysItsRefusalsAsThePageSaysThem) {
  ListenOptions options{.max_request_bytes = 10, .tls_cert_file = {}, .tls_key_file = {}};
  options.error_page = [](int status, std::string_view reason) {
    return ServerResponse{
        .content_type = "application/json",
        .headers = {},
        .body = "{\"" + std::to_string(status) + "\":\"" + std::string(reason) + "\"}"};
  };
  auto f = [&](std::string_view bytes, std::string_view line, std::string_view body) {
    StreamServer s(options);
    RawClient client(s.port);
    client.Send(bytes);
    EXPECT_TRUE(s.SeeEnd(client));
    EXPECT_THAT(client.Pull(), StartsWith("HTTP/1.1 " + std::string(line) + "\r\n"));
    EXPECT_THAT(client.Pull(), HasSubstr("Content-Type: application/json\r\n"));
    EXPECT_THAT(client.Pull(), EndsWith("\r\n\r\n" + std::string(body)));
  };
  f("nonsense\r\n\r\n", "400 Bad Request", R"({"400":"bad request"})");
  f("POST / HTTP/1.1\r\nContent-Length: 11\r\n\r\n", "413 Payload Too Large",
    R"({"413":"request too large"})");
  f("GET / HTTP/1.1\r\nX: " + std::string(100'000, 'x'), "431 Request Header Fields Too Large",
    R"({"431":"request headers too large"})");
}

TEST(HttpStreamTest, InvitesABodyThatWaits) {
  StreamServer s;
  RawClient client(s.port);
  client.Send("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
  EXPECT_EQ(s.See(client, 1), "HTTP/1.1 100 Continue\r\n\r\n");
  s.Ask(client, "abc")->Send({.headers = {}, .body = "done"});
  EXPECT_EQ(s.requests[0].body, "abc");
  EXPECT_THAT(client.Pull(), EndsWith("done"));
}

}  // namespace
}  // namespace firstword::net
