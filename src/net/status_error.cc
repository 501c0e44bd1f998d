#include <fmt/format.h>

#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

#include "net/http_client.h"

namespace firstword::net {
namespace {

constexpr std::size_t kMaxShown = 120;

// The first words of a text answer, on one line.
std::string Beginning(const HttpResponse& response) {
  if (response.content_type.find("text/html") != std::string::npos) return {};
  std::string out;
  for (const char c : std::string_view(response.body).substr(0, kMaxShown)) {
    const auto u = static_cast<unsigned char>(c);
    const bool blank = std::isspace(u) != 0;
    if (blank && (out.empty() || out.back() == ' ')) continue;
    if (!blank && (u < 0x20 || u == 0x7f)) return {};
    out += blank ? ' ' : c;
  }
  // The cut may have gone through a UTF-8 character.
  if (response.body.size() > kMaxShown) {
    while (!out.empty() && (out.back() & 0xc0) == 0x80) out.pop_back();
    if (!out.empty() && (out.back() & 0x80) != 0) out.pop_back();
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

struct Meaning {
  std::string_view word;
  std::string_view hint;
};

Meaning MeaningOf(int status, bool credentials) {
  switch (status) {
    case 301:
    case 302:
    case 303:
    case 307:
    case 308:
      return {"redirect without a Location", "give the final address"};
    case 401:
      return credentials ? Meaning{"the credentials were refused", "check --bearer-token or --user"}
                         : Meaning{"it asks for credentials", "give --bearer-token or --user"};
    case 403:
      return {"access is forbidden", "these credentials may not read metrics"};
    case 404:
      return {"nothing there",
              "usual paths: /metrics (vLLM, TGI, llama.cpp; SGLang with --enable-metrics), "
              ":8002/metrics (Triton), /v1/metrics (NIM), /prometheus/metrics (trtllm-serve)"};
    case 405:
      return {"the path takes no GET", "check the path"};
    case 429:
      return {"too many requests", "scrape less often"};
    case 500:
      return {"the server failed",
              "vLLM does this when PROMETHEUS_MULTIPROC_DIR lies on a network volume"};
    case 501:
      return {"not switched on", "llama.cpp: start llama-server with --metrics"};
    case 502:
    case 504:
      return {"a proxy in front does not reach the server", "is the engine up behind it?"};
    case 503:
      return {"the server is not ready", "it may still load the model"};
    default:
      break;
  }
  if (status >= 500) return {"the server failed", "look at its log"};
  return {"an unexpected answer", "check the address and the path"};
}

}  // namespace

Error StatusError(const HttpRequest& request, const HttpResponse& response) {
  const bool credentials =
      !request.bearer_token.empty() || !request.basic_user.empty() || !request.url.user.empty();
  const Meaning meaning = MeaningOf(response.status, credentials);
  const std::string& url = response.final_url.empty() ? request.url.ToString() : response.final_url;
  std::string message = fmt::format("{}: HTTP {}: {}", url, response.status, meaning.word);
  if (const std::string beginning = Beginning(response); !beginning.empty()) {
    message += fmt::format(": \"{}\"", beginning);
  }
  return {ErrorCode::kUnavailable, std::move(message), std::string(meaning.hint)};
}

}  // namespace firstword::net
