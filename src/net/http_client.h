#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "net/event_loop.h"
#include "net/url.h"

namespace firstword::net {

struct TlsOptions {
  std::string ca_file;  // PEM; empty: the system's
  bool insecure_skip_verify = false;
  std::string client_cert_file;  // PEM, with client_key_file
  std::string client_key_file;
  std::string server_name;  // overrides the URL's host for SNI and verification
};

struct HttpRequest {
  Url url;
  std::string method = "GET";
  std::vector<std::pair<std::string, std::string>> headers;
  std::string bearer_token;  // at most one of bearer and basic
  std::string basic_user;
  std::string basic_password;
  std::chrono::milliseconds timeout{10'000};  // over everything, redirects included
  std::size_t max_body_bytes = 64u << 20;     // after decompression
  int max_redirects = 5;                      // credentials are not sent to another origin
  bool accept_gzip = true;
  TlsOptions tls;
};

struct HttpResponse {
  int status = 0;
  std::string content_type;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;  // decompressed
  std::string final_url;
  std::size_t wire_bytes = 0;  // body bytes as received
  std::chrono::microseconds duration{0};
};

// HTTP/1.1 client with keep-alive per origin, TLS, gzip, redirects and hard
// limits of time and size. Runs on `loop`; callbacks run on the loop's thread.
//
// Every failure is one line that names the URL and what to do: name does not
// resolve, connection refused, TLS handshake (with the verifier's reason),
// timeout (and in which phase: connecting, waiting for the first byte, reading
// after N bytes), body over the limit, gzip bomb, broken gzip, malformed HTTP,
// redirect loop. A status other than 2xx is not a failure here: see
// StatusError().
class HttpClient {
 public:
  using Callback = std::move_only_function<void(Result<HttpResponse>)>;

  explicit HttpClient(EventLoop& loop);
  ~HttpClient();  // outstanding requests end with kCancelled

  void Fetch(HttpRequest request, Callback done);

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

// One blocking request on a loop of its own, for commands that do nothing else.
[[nodiscard]] Result<HttpResponse> FetchOnce(HttpRequest request);

// For a status that is not 2xx: kUnavailable with a message that says what the
// status means for a scrape (401: which credential to give; 404: the metrics
// path; 501 of llama.cpp: start it with --metrics; 5xx) and shows the start of a
// text body.
[[nodiscard]] Error StatusError(const HttpRequest& request, const HttpResponse& response);

}  // namespace firstword::net
