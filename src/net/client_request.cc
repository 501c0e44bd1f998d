#include "net/client_request.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>

namespace firstword::net {
namespace {

constexpr std::size_t kMaxValueBytes = 16u << 10;

bool IsToken(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) != 0 || kMarks.find(static_cast<char>(c)) != kMarks.npos);
  });
}

bool HasControl(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7f; });
}

Result<void> CheckValue(std::string_view what, std::string_view value) {
  if (HasControl(value)) {
    return Fail(ErrorCode::kInvalid, fmt::format("{} has a line break or control character", what),
                "remove it; the end of a line often comes along from a file");
  }
  if (value.size() > kMaxValueBytes) {
    return Fail(ErrorCode::kInvalid,
                fmt::format("{} is longer than {} bytes", what, kMaxValueBytes), "shorten it");
  }
  return {};
}

std::string Base64(std::string_view bytes) {
  std::string encoded(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(encoded.data()),
                                     reinterpret_cast<const unsigned char*>(bytes.data()),
                                     static_cast<int>(bytes.size()));
  encoded.resize(static_cast<std::size_t>(length));
  return encoded;
}

std::string Authorization(const HttpRequest& request) {
  if (!request.bearer_token.empty()) return "Bearer " + request.bearer_token;
  if (!request.basic_user.empty()) {
    return "Basic " + Base64(request.basic_user + ":" + request.basic_password);
  }
  if (!request.url.user.empty()) {
    return "Basic " + Base64(request.url.user + ":" + request.url.password);
  }
  return {};
}

std::string HostHeader(const Url& url) {
  if (url.scheme == "unix") return "localhost";
  // An interface's name means something on this machine only.
  const std::string_view host = std::string_view(url.host).substr(0, url.host.find('%'));
  std::string header(host);
  if (host.find(':') != std::string_view::npos) header = fmt::format("[{}]", host);
  if (url.port != (url.scheme == "https" ? 443 : 80)) header += fmt::format(":{}", url.port);
  return header;
}

bool SameOrigin(const Url& a, const Url& b) {
  return a.scheme == b.scheme && a.host == b.host && a.port == b.port &&
         a.socket_path == b.socket_path;
}

}  // namespace

bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

Result<void> CheckRequest(const HttpRequest& request) {
  if (!IsToken(request.method)) return Fail(ErrorCode::kInvalid, "the method is no word");
  for (const auto& [name, value] : request.headers) {
    if (!IsToken(name) || name.size() > kMaxValueBytes) {
      return Fail(ErrorCode::kInvalid, "a request header's name is no word",
                  "header names consist of letters, digits and '-'");
    }
    if (auto good = CheckValue(fmt::format("request header {}", name), value); !good) return good;
  }
  const std::array<std::pair<std::string_view, std::string_view>, 3> values = {
      {{"the bearer token", request.bearer_token},
       {"the URL's host", request.url.host},
       {"the URL's path", request.url.target}}};
  for (const auto& [what, value] : values) {
    if (auto good = CheckValue(what, value); !good) return good;
  }
  // These are sent in base64, which carries every byte.
  const std::size_t basic = std::max(request.basic_user.size() + request.basic_password.size(),
                                     request.url.user.size() + request.url.password.size());
  if (basic > kMaxValueBytes) {
    return Fail(ErrorCode::kInvalid,
                fmt::format("user and password are longer than {} bytes", kMaxValueBytes));
  }
  return {};
}

std::vector<std::pair<std::string, std::string>> HeadersOf(const HttpRequest& request) {
  std::vector<std::pair<std::string, std::string>> headers = request.headers;
  const auto add = [&](std::string_view name, std::string value) {
    const bool given = std::any_of(headers.begin(), headers.end(), [&](const auto& header) {
      return EqualsIgnoringCase(header.first, name);
    });
    if (!given && !value.empty()) headers.emplace_back(name, std::move(value));
  };
  add("Host", HostHeader(request.url));
  add("User-Agent", "firstword");
  add("Accept-Encoding", request.accept_gzip ? "gzip" : "");
  add("Authorization", Authorization(request));
  return headers;
}

std::string ConnectionKey(const HttpRequest& request) {
  const TlsOptions& tls = request.tls;
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}", request.url.scheme, request.url.Authority(),
                     tls.ca_file, tls.insecure_skip_verify, tls.client_cert_file,
                     tls.client_key_file, tls.server_name);
}

Result<void> Redirect(std::string_view location, HttpRequest& request) {
  Result<Url> next = ResolveReference(request.url, location);
  if (!next) return Fail(next.error(), "redirect");
  if (SameOrigin(*next, request.url)) {
    if (next->user.empty()) {
      next->user = request.url.user;
      next->password = request.url.password;
    }
  } else {
    request.bearer_token.clear();
    request.basic_user.clear();
    request.basic_password.clear();
    request.tls.client_cert_file.clear();
    request.tls.client_key_file.clear();
    request.tls.server_name.clear();
    // Any other header may be a key by a name of its own.
    std::erase_if(request.headers, [](const auto& header) {
      return !EqualsIgnoringCase(header.first, "accept") &&
             !EqualsIgnoringCase(header.first, "accept-encoding") &&
             !EqualsIgnoringCase(header.first, "user-agent");
    });
  }
  request.url = *std::move(next);
  return {};
}

}  // namespace firstword::net
