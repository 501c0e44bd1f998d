#include "dialect/selector.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>

namespace firstword::dialect {
namespace {

bool IsNameChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ':';
}

std::string_view TrimRight(std::string_view text) {
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

Result<void> CheckMetricName(std::string_view name) {
  std::size_t begin = name.starts_with('~') ? 1 : 0;
  const std::size_t end = name.size() - (name.ends_with('*') ? 1 : 0);
  if (name.empty() || name == "~" || name == "*") {
    return Fail(ErrorCode::kParse, "column 1: a selector needs a metric name");
  }
  for (; begin < end; ++begin) {
    if (!IsNameChar(name[begin])) {
      return Fail(ErrorCode::kParse, fmt::format("column {}: '{}' cannot stand in a metric name",
                                                 begin + 1, name[begin]));
    }
  }
  return {};
}

}  // namespace

std::string Selector::NameUnder(std::string_view prefix) const {
  std::string_view rest = name;
  if (is_open()) rest.remove_suffix(1);
  if (!uses_prefix()) return std::string(rest);
  return std::string(prefix) + std::string(rest.substr(1));
}

Result<Selector> ParseDialectSelector(std::string_view text) {
  const std::size_t brace = std::min(text.find('{'), text.size());
  Selector selector{.name = std::string(TrimRight(text.substr(0, brace))),
                    .matchers = {},
                    .text = std::string(text)};
  if (Result<void> name = CheckMetricName(selector.name); !name)
    return std::unexpected(name.error());
  if (brace < text.size()) {
    // Blanks in place of the name keep the columns of the message right.
    const std::string braces = std::string(brace, ' ') + std::string(text.substr(brace));
    Result<std::vector<promql::Matcher>> matchers = promql::ParseSelector(braces);
    if (!matchers) return std::unexpected(matchers.error());
    selector.matchers = *std::move(matchers);
  }
  return selector;
}

}  // namespace firstword::dialect
