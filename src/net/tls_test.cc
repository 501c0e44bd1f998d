#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "net/http_client.h"
#include "net/http_server.h"
#include "support/certificate.h"

namespace firstword::net {
namespace {

using support::Certificate;
using testing::HasSubstr;

// Serves TLS with `certificate` and fetches from it as `options` say.
Result<HttpResponse> FetchFrom(const Certificate& certificate, TlsOptions options,
                               std::string_view scheme = "https") {
  EventLoop loop;
  auto server = HttpServer::Listen(
      loop, {.tls_cert_file = certificate.cert_file(), .tls_key_file = certificate.key_file()},
      [](const ServerRequest&) { return ServerResponse{.headers = {}, .body = "over TLS"}; });
  if (!server) return std::unexpected(server.error());
  HttpRequest request;
  request.url =
      ParseUrl(std::string(scheme) + "://127.0.0.1:" + std::to_string((*server)->port())).value();
  request.tls = std::move(options);
  HttpClient client(loop);
  Result<HttpResponse> result = Fail(ErrorCode::kCancelled, "nothing came");
  client.Fetch(request, [&](Result<HttpResponse> response) {
    result = std::move(response);
    loop.Stop();
  });
  loop.Run();
  return result;
}

TEST(TlsTest, TrustsTheGivenAuthority) {
  const Certificate certificate("127.0.0.1");
  const Result<HttpResponse> response =
      FetchFrom(certificate, {.ca_file = certificate.cert_file()});
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->body, "over TLS");
}

TEST(TlsTest, ChecksTheNameThatWasAskedFor) {
  const Certificate certificate("engine.example");
  EXPECT_TRUE(FetchFrom(certificate,
                        {.ca_file = certificate.cert_file(), .server_name = "engine.example"}));
  const Result<HttpResponse> response =
      FetchFrom(certificate, {.ca_file = certificate.cert_file()});
  ASSERT_FALSE(response);
  EXPECT_THAT(response.error().message, HasSubstr("the certificate is not trusted: "));
  EXPECT_THAT(response.error().hint, HasSubstr("use the name in the certificate"));
}

TEST(TlsTest, SaysWhyACertificateIsRefused) {
  const Certificate unknown("127.0.0.1");
  Result<HttpResponse> response = FetchFrom(unknown, {});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(response.error().message,
              HasSubstr("the certificate is not trusted: self-signed certificate"));
  EXPECT_EQ(response.error().hint,
            "give its authority with --ca-file, or --insecure to skip the check");

  const Certificate expired("127.0.0.1", -3);
  response = FetchFrom(expired, {.ca_file = expired.cert_file()});
  ASSERT_FALSE(response);
  EXPECT_THAT(response.error().message, HasSubstr("certificate has expired"));
  EXPECT_EQ(response.error().hint, "renew the certificate, or --insecure to skip the check");
}

TEST(TlsTest, SkipsTheCheckWhenTold) {
  EXPECT_TRUE(FetchFrom(Certificate("elsewhere", -3), {.insecure_skip_verify = true}));
}

TEST(TlsTest, TellsThePlainFromTheEncrypted) {
  const Result<HttpResponse> response = FetchFrom(Certificate("127.0.0.1"), {}, "http");
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().hint, "does the port speak HTTP? If it is TLS, use https://");

  EventLoop loop;
  auto plain = HttpServer::Listen(loop, {}, [](const ServerRequest&) { return ServerResponse{}; });
  HttpRequest request;
  request.url = ParseUrl("https://127.0.0.1:" + std::to_string((*plain)->port())).value();
  HttpClient client(loop);
  std::string message;
  std::string hint;
  client.Fetch(request, [&](Result<HttpResponse> answer) {
    if (!answer) {
      message = answer.error().message;
      hint = answer.error().hint;
    }
    loop.Stop();
  });
  loop.Run();
  EXPECT_THAT(message, HasSubstr("the server does not speak TLS"));
  EXPECT_EQ(hint, "is it http:// instead of https://?");
}

TEST(TlsTest, NamesAFileThatCannotBeUsed) {
  const Result<HttpResponse> response =
      FetchFrom(Certificate("127.0.0.1"), {.ca_file = "/nowhere.pem"});
  ASSERT_FALSE(response);
  EXPECT_THAT(response.error().message, HasSubstr("cannot use the CA file /nowhere.pem"));
}

}  // namespace
}  // namespace firstword::net
