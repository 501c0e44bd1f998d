#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "net/http_client.h"
#include "net/test_requests.h"

namespace firstword::net {
namespace {

using testing::HasSubstr;

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
  for (const std::string_view path :
       {"/metrics (vLLM", "SGLang with --enable-metrics", ":8002/metrics (Triton)",
        "/v1/metrics (NIM)", "/prometheus/metrics (trtllm-serve)"}) {
    f(404, "nothing there", path);
  }
  f(429, "too many requests", "less often");
  f(500, "the server failed", "PROMETHEUS_MULTIPROC_DIR");
  f(501, "not switched on", "--metrics");
  f(503, "the server is not ready", "load the model");
  f(599, "the server failed", "log");
  f(303, "redirect without a Location", "final address");
  f(405, "the path takes no GET", "check the path");
  f(502, "a proxy in front does not reach the server", "engine up");
  f(418, "an unexpected answer", "check the address");
}

TEST(StatusErrorTest, TellsWrongCredentialsFromNone) {
  HttpResponse response;
  response.status = 401;
  EXPECT_EQ(StatusError(RequestFor("http://u:p@h/m"), response).message,
            "http://h/m: HTTP 401: the credentials were refused");
}

TEST(StatusErrorTest, ShowsOnlyTheStartOfAText) {
  auto f = [](std::string type, std::string body, std::string_view shown) {
    HttpResponse response;
    response.status = 500;
    response.content_type = std::move(type);
    response.body = std::move(body);
    EXPECT_EQ(StatusError(RequestFor("http://h/m"), response).message,
              "http://h/m: HTTP 500: the server failed" + std::string(shown));
  };
  f("text/html; charset=utf-8", "<html>", "");
  f("text/plain", "\x1b[31mred", "");
  f("text/plain", " \r\n", "");
  f("text/plain", std::string(300, 'x'), ": \"" + std::string(120, 'x') + "\"");
  f("text/plain", std::string(119, 'x') + "\xc3\xa4", ": \"" + std::string(119, 'x') + "\"");
}

}  // namespace
}  // namespace firstword::net
