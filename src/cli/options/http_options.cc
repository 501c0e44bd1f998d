#include "cli/options/http_options.h"

#include <fmt/format.h>

#include <utility>

#include "cli/options/read_file.h"
#include "exposition/parser.h"

namespace firstword::cli {
namespace {

constexpr std::size_t kMaxTokenBytes = 64u << 10;

std::string_view Trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

Result<std::string> BearerToken(const HttpOptions& options) {
  if (options.bearer_token_file.empty()) return options.bearer_token;
  Result<std::string> text = ReadFile(options.bearer_token_file, kMaxTokenBytes);
  if (!text) return Fail(text.error(), "--bearer-token-file");
  return std::string(Trim(*text));
}

Result<void> AddHeaders(net::HttpRequest& request, const std::vector<std::string>& headers) {
  for (const std::string& header : headers) {
    const std::size_t colon = header.find(':');
    if (colon == std::string::npos || Trim(header.substr(0, colon)).empty()) {
      return Fail(ErrorCode::kInvalid, fmt::format("--header: \"{}\" has no name", header),
                  "write --header 'Name: value'");
    }
    request.headers.emplace_back(Trim(std::string_view(header).substr(0, colon)),
                                 Trim(std::string_view(header).substr(colon + 1)));
  }
  return {};
}

Result<void> AddCredentials(net::HttpRequest& request, const HttpOptions& options) {
  Result<std::string> token = BearerToken(options);
  if (!token) return std::unexpected(token.error());
  if (!token->empty() && !options.user.empty()) {
    return Fail(ErrorCode::kInvalid, "--user and a bearer token exclude each other");
  }
  request.bearer_token = std::move(*token);
  if (options.user.empty()) return {};
  const std::size_t colon = options.user.find(':');
  if (colon == std::string::npos) {
    return Fail(ErrorCode::kInvalid, "--user has no password", "write --user NAME:PASSWORD");
  }
  request.basic_user = options.user.substr(0, colon);
  request.basic_password = options.user.substr(colon + 1);
  return {};
}

}  // namespace

OptionGroup HttpOptionGroup(HttpOptions& options) {
  return {
      "how to reach the page",
      {{"--bearer-token", "TOKEN", "send it as Authorization: Bearer", "", &options.bearer_token},
       {"--bearer-token-file", "FILE", "the same, read before every scrape", "",
        &options.bearer_token_file},
       {"--user", "NAME:PASSWORD", "basic authentication", "", &options.user},
       {"--header", "'NAME: VALUE'", "one more request header; may be repeated", "",
        &options.headers},
       {"--ca-file", "PEM", "trust these certificate authorities instead of the system's", "",
        &options.ca_file},
       {"--cert", "PEM", "client certificate, with --key", "", &options.client_cert_file},
       {"--key", "PEM", "private key of the client certificate", "", &options.client_key_file},
       {"--insecure", "", "do not verify the server's certificate", "", &options.insecure},
       {"--timeout", "DURATION", "longest time for one scrape, redirects included", "10s",
        &options.timeout},
       {"--max-body", "SIZE", "largest page, unpacked", "64MiB", &options.max_body_bytes},
       {"--no-gzip", "", "ask for an uncompressed page", "", &options.no_gzip}}};
}

Result<net::HttpRequest> ScrapeRequest(const net::Url& url, const HttpOptions& options) {
  net::HttpRequest request;
  request.url = url;
  request.headers.emplace_back("Accept", exposition::AcceptHeader());
  if (auto added = AddHeaders(request, options.headers); !added) {
    return std::unexpected(added.error());
  }
  if (auto added = AddCredentials(request, options); !added) return std::unexpected(added.error());
  if (options.client_cert_file.empty() != options.client_key_file.empty()) {
    return Fail(ErrorCode::kInvalid, "--cert and --key belong together", "give both or neither");
  }
  if (options.timeout.count() == 0) {
    return Fail(ErrorCode::kInvalid, "--timeout must be above zero");
  }
  request.timeout = options.timeout;
  request.max_body_bytes = options.max_body_bytes;
  request.accept_gzip = !options.no_gzip;
  request.tls = {.ca_file = options.ca_file,
                 .insecure_skip_verify = options.insecure,
                 .client_cert_file = options.client_cert_file,
                 .client_key_file = options.client_key_file,
                 .server_name = {}};
  return request;
}

Result<ScrapeTarget> ParseTarget(std::string_view text, std::string_view job) {
  Result<net::Url> url = net::ParseUrl(text);
  if (!url) return std::unexpected(url.error());
  if (url->target.empty() || url->target == "/") url->target = "/metrics";
  ScrapeTarget target;
  target.name = url->Authority();
  target.labels = promql::Labels{{"job", std::string(job)}, {"instance", target.name}};
  target.url = std::move(*url);
  return target;
}

}  // namespace firstword::cli
