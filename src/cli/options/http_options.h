#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/options/command.h"
#include "net/http_client.h"
#include "promql/labels.h"

namespace firstword::cli {

// How to ask a server, as the command line says it.
struct HttpOptions {
  std::string bearer_token;
  std::string bearer_token_file;
  std::string user;  // NAME:PASSWORD
  std::vector<std::string> headers;
  std::string ca_file;
  std::string client_cert_file;
  std::string client_key_file;
  bool insecure = false;
  std::chrono::milliseconds timeout{10'000};
  std::size_t max_body_bytes = 64u << 20;
  bool no_gzip = false;
};

// The options that fill `options`, which must stay where it is.
[[nodiscard]] OptionGroup HttpOptionGroup(HttpOptions& options);

// A request for a metrics page. Reads the token file anew, because tokens rotate.
[[nodiscard]] Result<net::HttpRequest> ScrapeRequest(const net::Url& url,
                                                     const HttpOptions& options);

// A page to scrape: a URL without a path means /metrics.
struct ScrapeTarget {
  net::Url url;
  std::string name;       // host:port or the socket's path
  promql::Labels labels;  // job and instance
};
[[nodiscard]] Result<ScrapeTarget> ParseTarget(std::string_view text, std::string_view job);

}  // namespace firstword::cli
