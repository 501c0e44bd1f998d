#include "exposition/not_a_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "exposition/printable.h"

namespace firstword::exposition {
namespace {

constexpr std::size_t kShown = 60;

std::string_view WithoutBlanks(std::string_view body) {
  if (body.starts_with("\xef\xbb\xbf")) body.remove_prefix(3);
  const std::size_t start = body.find_first_not_of(" \t\r\n");
  return start == std::string_view::npos ? std::string_view() : body.substr(start);
}

bool StartsWithIgnoringCase(std::string_view text, std::string_view lower) {
  if (text.size() < lower.size()) return false;
  return std::equal(lower.begin(), lower.end(), text.begin(), [](char want, char got) {
    return want == std::tolower(static_cast<unsigned char>(got));
  });
}

bool IsGzip(std::string_view body) { return body.starts_with("\x1f\x8b"); }

bool IsBinary(std::string_view body) {
  constexpr std::ptrdiff_t kFew = 3;  // a label value may hold any byte
  const std::string_view head = body.substr(0, 512);
  const auto odd = std::count_if(head.begin(), head.end(), [](char c) {
    const auto u = static_cast<unsigned char>(c);
    return (u < 0x20 && c != '\n' && c != '\r' && c != '\t') || u == 0x7f;
  });
  return odd > kFew && odd * 20 > static_cast<std::ptrdiff_t>(head.size());
}

bool IsJson(std::string_view text) {
  // {"name",label="v"} 1 is a sample with a quoted name; JSON has a colon there.
  if (text.starts_with('[')) return true;
  if (!text.starts_with('{')) return false;
  const std::string_view line = text.substr(1, text.find('\n', 1));
  const std::string_view inner = WithoutBlanks(line);
  if (inner.empty() || inner.front() == '}') return true;
  if (inner.front() != '"') return false;
  const std::size_t close = inner.find('"', 1);
  if (close == std::string_view::npos) return false;
  return WithoutBlanks(inner.substr(close + 1)).starts_with(':');
}

std::string Beginning(std::string_view body) {
  std::string flat(body.substr(0, kShown + 4));
  std::replace_if(
      flat.begin(), flat.end(), [](char c) { return c == '\n' || c == '\t' || c == '\r'; }, ' ');
  return Printable(flat, kShown);
}

std::string HtmlTitle(std::string_view text) {
  const std::string_view head = text.substr(0, 4096);
  for (std::size_t at = head.find('<'); at != std::string_view::npos; at = head.find('<', at + 1)) {
    if (!StartsWithIgnoringCase(head.substr(at), "<title")) continue;
    const std::size_t open = head.find('>', at);
    if (open == std::string_view::npos) break;
    const std::size_t close = head.find('<', open);
    if (close == std::string_view::npos) break;
    return Beginning(WithoutBlanks(head.substr(open + 1, close - open - 1)));
  }
  return {};
}

}  // namespace

bool IsForeign(std::string_view body) {
  const std::string_view text = WithoutBlanks(body);
  return text.empty() || text.front() == '<' || IsGzip(body) || IsBinary(body) || IsJson(text);
}

Error DescribeNonPage(std::string_view body, std::string_view first_fault) {
  const std::string_view text = WithoutBlanks(body);
  if (text.empty()) {
    return {ErrorCode::kParse, "the page is empty",
            "if a server answered this, its metrics export is switched off"};
  }
  if (IsGzip(body)) {
    return {ErrorCode::kParse, "the page is gzip data, not text",
            "the server compresses without saying so in Content-Encoding"};
  }
  if (text.front() == '<') {
    const std::string title = HtmlTitle(text);
    return {ErrorCode::kParse,
            title.empty() ? fmt::format("this is a markup page, not metrics: {}", Beginning(text))
                          : fmt::format("this is an HTML page, not metrics: \"{}\"", title),
            "check the path; most engines export metrics at /metrics"};
  }
  if (IsJson(text)) {
    const bool array = text.front() == '[';
    return {
        ErrorCode::kParse, fmt::format("this is JSON, not a metrics page: {}", Beginning(text)),
        array
            ? "trtllm-serve answers /metrics with JSON; its Prometheus page is /prometheus/metrics"
            : "check the path; most engines export metrics at /metrics"};
  }
  if (IsBinary(body)) {
    return {ErrorCode::kParse,
            fmt::format("this is binary data, not a metrics page: {}", Beginning(body)),
            "check the address and the path"};
  }
  std::string message = fmt::format("no sample on the page, which begins: {}", Beginning(text));
  if (!first_fault.empty())
    message = fmt::format("no sound sample on the page ({}), which begins: {}", first_fault,
                          Beginning(text));
  return {ErrorCode::kParse, std::move(message),
          "check the path; most engines export metrics at /metrics"};
}

}  // namespace firstword::exposition
