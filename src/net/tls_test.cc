#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include <memory>
#include <string>

#include "net/http_client.h"
#include "net/http_server.h"
#include "net/test_requests.h"
#include "support/certificate.h"
#include "support/scripted_server.h"

namespace firstword::net {
namespace {

using support::Certificate;
using support::ScriptedServer;
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
  return FetchOn(loop, std::move(request));
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
  EXPECT_THAT(response.error().hint, HasSubstr("use the name in the certificate"))
      << response.error().message;
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
  const Result<HttpResponse> answer =
      FetchOn(loop, RequestFor("https://127.0.0.1:" + std::to_string((*plain)->port())));
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message, HasSubstr("the server does not speak TLS"));
  EXPECT_EQ(answer.error().hint, "is it http:// instead of https://?");
}

// Says "hello" over TLS to who shows a certificate that `trusted` holds.
ScriptedServer::Script AsksForACertificate(const Certificate& own, const Certificate& trusted) {
  return [&](const ScriptedServer::Peer& peer, int) {
    const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context(
        SSL_CTX_new(TLS_server_method()), SSL_CTX_free);
    SSL_CTX_use_certificate_file(context.get(), own.cert_file().c_str(), SSL_FILETYPE_PEM);
    SSL_CTX_use_PrivateKey_file(context.get(), own.key_file().c_str(), SSL_FILETYPE_PEM);
    SSL_CTX_load_verify_locations(context.get(), trusted.cert_file().c_str(), nullptr);
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
    const std::unique_ptr<SSL, decltype(&SSL_free)> ssl(SSL_new(context.get()), SSL_free);
    SSL_set_fd(ssl.get(), peer.fd);
    if (SSL_accept(ssl.get()) == 1) {
      char request[4096];
      SSL_read(ssl.get(), request, sizeof(request));
      const std::string answer = Answer("hello");
      SSL_write(ssl.get(), answer.data(), static_cast<int>(answer.size()));
    }
    peer.WaitForHangup();
  };
}

TEST(TlsTest, ShowsItsOwnCertificate) {
  const Certificate own("127.0.0.1");
  const Certificate known("client");
  const Certificate stranger("stranger");
  const ScriptedServer server(AsksForACertificate(own, known));
  HttpRequest request = RequestFor("https://127.0.0.1:" + std::to_string(server.port()));
  request.tls.ca_file = own.cert_file();
  Result<HttpResponse> response = FetchOnce(request);
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().hint,
            "the server may want a client certificate: give --cert and --key")
      << response.error().message;

  request.tls.client_cert_file = stranger.cert_file();
  request.tls.client_key_file = stranger.key_file();
  response = FetchOnce(request);
  ASSERT_FALSE(response);
  EXPECT_THAT(response.error().message, HasSubstr("the server refuses our client certificate"));

  request.tls.client_cert_file = known.cert_file();
  request.tls.client_key_file = known.key_file();
  response = FetchOnce(request);
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->body, "hello");
}

TEST(TlsTest, NamesAFileThatCannotBeUsed) {
  const Result<HttpResponse> response =
      FetchFrom(Certificate("127.0.0.1"), {.ca_file = "/nowhere.pem"});
  ASSERT_FALSE(response);
  EXPECT_THAT(response.error().message, HasSubstr("cannot use the CA file /nowhere.pem"));
  const Certificate one("127.0.0.1");
  const Certificate other("127.0.0.1");
  const Result<HttpResponse> mixed = FetchFrom(one, {.insecure_skip_verify = true,
                                                     .client_cert_file = one.cert_file(),
                                                     .client_key_file = other.key_file()});
  ASSERT_FALSE(mixed);
  EXPECT_THAT(mixed.error().message, HasSubstr("cannot use the client key " + other.key_file()));
}

}  // namespace
}  // namespace firstword::net
