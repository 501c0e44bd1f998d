#include "simulate/face/http_header.h"

#include <fmt/format.h>

#include <algorithm>

namespace firstword::simulate {
namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool EqualsLower(std::string_view text, std::string_view lower) {
  return std::ranges::equal(text, lower, {}, Lower);
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::optional<std::string_view> FindHeader(const net::ServerRequest& request,
                                           std::string_view name) {
  for (const auto& [key, value] : request.headers) {
    if (EqualsLower(key, name)) return Trimmed(value);
  }
  return std::nullopt;
}

Result<void> CheckContentType(const net::ServerRequest& request) {
  const std::string_view given = FindHeader(request, "content-type").value_or("");
  if (EqualsLower(Trimmed(given.substr(0, given.find(';'))), "application/json")) return {};
  return Fail(ErrorCode::kInvalid,
              given.empty() ? std::string("the request has no Content-Type")
                            : fmt::format("the Content-Type is \"{}\"", given.substr(0, 80)),
              "send the body as application/json");
}

}  // namespace firstword::simulate
