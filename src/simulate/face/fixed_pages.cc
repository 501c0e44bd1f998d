#include "simulate/face/fixed_pages.h"

#include <fmt/format.h>

#include <utility>

#include "simulate/face/error_body.h"
#include "simulate/face/json_text.h"

namespace firstword::simulate {
namespace {

net::ServerResponse JsonPage(int status, std::string body) {
  return {
      .status = status, .content_type = "application/json", .headers = {}, .body = std::move(body)};
}

}  // namespace

net::ServerResponse EmptyPage(int status) {
  return {.status = status, .content_type = "", .headers = {}, .body = {}};
}

net::ServerResponse DetailPage(int status, std::string_view detail) {
  return JsonPage(status, fmt::format(R"({{"detail":{}}})", JsonString(detail)));
}

net::ServerResponse WrongMethodPage(std::string_view allowed) {
  net::ServerResponse page = DetailPage(405, "Method Not Allowed");
  page.headers.emplace_back("Allow", allowed);
  return page;
}

net::ServerResponse ApiErrorPage(int status, std::string_view message) {
  return JsonPage(status, ErrorBody(status, message));
}

net::ServerResponse ModelsPage(const ServedEngine& engine) {
  const std::string name = JsonString(engine.model());
  return JsonPage(
      200, fmt::format(R"({{"object":"list","data":[{{"id":{},"object":"model","created":{},)"
                       R"("owned_by":{},"root":{},"parent":null,"max_model_len":{}}}]}})",
                       name, engine.started_unix_s(), JsonString(engine.engine()), name,
                       engine.max_model_len()));
}

net::ServerResponse VersionPage(std::string_view version) {
  return JsonPage(200, fmt::format(R"({{"version":{}}})", JsonString(version)));
}

net::ServerResponse TokensPage(std::span<const std::uint32_t> tokens, std::uint32_t max_model_len) {
  std::string body =
      fmt::format(R"({{"count":{},"max_model_len":{},"tokens":[)", tokens.size(), max_model_len);
  for (const std::uint32_t token : tokens) {
    AppendNumber(body, token);
    body += ',';
  }
  if (!tokens.empty()) body.pop_back();
  body += R"(],"token_strs":null})";
  return JsonPage(200, std::move(body));
}

std::string ServerErrorMessage(int status, std::string_view reason) {
  switch (status) {
    case 400:
      return "this is no HTTP request that can be read (send HTTP/1.1 with a body of the length "
             "that it announces)";
    case 413:
      return "the request body is larger than this server takes (send a shorter prompt)";
    case 431:
      return "the request headers are larger than this server takes (send fewer)";
    default:
      return std::string(reason);
  }
}

}  // namespace firstword::simulate
