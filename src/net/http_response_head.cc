#include "net/http_response_head.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/beast/http/status.hpp>
#include <iterator>

#include "net/client_request.h"

namespace firstword::net {

namespace http = boost::beast::http;

namespace {

bool Contradicts(std::string_view name) {
  return EqualsIgnoringCase(name, "content-length") ||
         EqualsIgnoringCase(name, "transfer-encoding") || EqualsIgnoringCase(name, "connection");
}

void AppendField(std::string& out, std::string_view name, std::string_view value) {
  const auto append = [&out](std::string_view text) {
    std::ranges::replace_copy_if(
        text, std::back_inserter(out), [](char c) { return c == '\r' || c == '\n' || c == '\0'; },
        ' ');
  };
  append(name);
  out += ": ";
  append(value);
  out += "\r\n";
}

}  // namespace

bool MayHaveBody(int status) { return status >= 200 && status != 204 && status != 304; }

std::string Format(const ResponseHead& head) {
  const auto reason =
      http::obsolete_reason(http::int_to_status(static_cast<unsigned>(head.status)));
  std::string out = fmt::format("HTTP/1.{} {} {}\r\n", head.http_1_0 ? 0 : 1, head.status,
                                std::string_view(reason.data(), reason.size()));
  const auto given = [&](std::string_view name) {
    return std::ranges::any_of(
        head.headers, [&](const auto& header) { return EqualsIgnoringCase(header.first, name); });
  };
  if (!given("server")) AppendField(out, "Server", "firstword");
  if (!head.content_type.empty() && !given("content-type")) {
    AppendField(out, "Content-Type", head.content_type);
  }
  for (const auto& [name, value] : head.headers) {
    if (!Contradicts(name)) AppendField(out, name, value);
  }
  // The default of HTTP/1.1 is to keep the connection, that of HTTP/1.0 to close it.
  if (head.keep_alive == head.http_1_0) {
    AppendField(out, "Connection", head.keep_alive ? "keep-alive" : "close");
  }
  if (MayHaveBody(head.status)) {
    if (head.body_end == BodyEnd::kLength) {
      fmt::format_to(std::back_inserter(out), "Content-Length: {}\r\n", head.length);
    } else if (head.body_end == BodyEnd::kChunks) {
      out += "Transfer-Encoding: chunked\r\n";
    }
  }
  out += "\r\n";
  return out;
}

}  // namespace firstword::net
