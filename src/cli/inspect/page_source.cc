#include "cli/inspect/page_source.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "cli/options/read_file.h"
#include "exposition/parser.h"
#include "net/gzip.h"

namespace firstword::cli {
namespace {

// Files carry no Content-Type, but an OpenMetrics page says so at its end.
exposition::Format FormatOfFile(std::string_view body) {
  const std::size_t last = body.find_last_not_of(" \r\n");
  const std::string_view trimmed = body.substr(0, last == std::string_view::npos ? 0 : last + 1);
  return trimmed.ends_with("# EOF") ? exposition::Format::kOpenMetrics : exposition::Format::kText;
}

Result<FetchedPage> FromText(std::string name, Result<std::string> body, std::size_t max_bytes) {
  if (body && body->starts_with("\x1f\x8b")) {
    Result<std::string> plain = net::Gunzip(*body, max_bytes);
    body = plain ? std::move(plain) : Fail(plain.error(), name);
  }
  if (!body) {
    Error error = body.error();
    if (error.code == ErrorCode::kLimit) error.hint = "--max-body raises the limit";
    return std::unexpected(std::move(error));
  }
  FetchedPage page;
  page.format = FormatOfFile(*body);
  page.body = std::move(*body);
  page.instance = std::filesystem::path(name).filename().string();
  page.name = std::move(name);
  return page;
}

Result<FetchedPage> FromUrl(const std::string& where, const HttpOptions& options) {
  Result<ScrapeTarget> target = ParseTarget(where, "inspect");
  if (!target) return std::unexpected(target.error());
  const Result<net::HttpRequest> request = ScrapeRequest(target->url, options);
  if (!request) return std::unexpected(request.error());
  Result<net::HttpResponse> response = net::FetchOnce(*request);
  if (!response) return std::unexpected(response.error());
  if (response->status < 200 || response->status > 299) {
    return std::unexpected(net::StatusError(*request, *response));
  }
  const exposition::ContentType type = exposition::FormatFromContentType(response->content_type);
  FetchedPage page;
  page.name = target->url.ToString();
  page.instance = target->name;
  page.body = std::move(response->body);
  page.format = type.format;
  if (!type.recognised) {
    page.odd_content_type = response->content_type.empty() ? "none" : response->content_type;
  }
  return page;
}

}  // namespace

bool IsUrl(const std::string& where) {
  if (where.find("://") != std::string::npos) return true;
  std::error_code ignored;
  if (where == "-" || std::filesystem::exists(where, ignored)) return false;
  const std::size_t slash = std::min(where.find('/'), where.size());
  const std::size_t colon = where.substr(0, slash).rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == slash) return false;
  return std::all_of(where.begin() + static_cast<std::ptrdiff_t>(colon) + 1,
                     where.begin() + static_cast<std::ptrdiff_t>(slash),
                     [](unsigned char c) { return std::isdigit(c) != 0; });
}

Result<FetchedPage> FetchPage(const std::string& where, const HttpOptions& options,
                              Console& console) {
  if (IsUrl(where)) return FromUrl(where, options);
  if (where == "-") {
    return FromText("stdin", ReadStream(console.in, "stdin", options.max_body_bytes),
                    options.max_body_bytes);
  }
  if (where.empty()) {
    return Fail(ErrorCode::kInvalid, "the page's name is empty",
                "give a file, - for stdin, or a URL such as http://localhost:8000");
  }
  Result<std::string> body = ReadFile(where, options.max_body_bytes);
  if (!body && body.error().code == ErrorCode::kNotFound) {
    body.error().hint = "give a file, - for stdin, or a URL such as http://localhost:8000";
  }
  return FromText(where, std::move(body), options.max_body_bytes);
}

}  // namespace firstword::cli
