#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "promql/labels.h"

namespace firstword::promql {

enum class MatchOp : std::uint8_t { kEqual, kNotEqual, kRegex, kNotRegex };

// One condition on a label. A label that is absent equals the empty string.
// Regular expressions are RE2's, anchored at both ends, '.' matches newlines.
// Cheap to copy; safe to use from several threads.
class Matcher {
 public:
  // Fails with kParse on a bad regular expression.
  [[nodiscard]] static Result<Matcher> Create(std::string_view name, MatchOp op,
                                              std::string_view value);
  [[nodiscard]] static Matcher Equal(std::string_view name, std::string_view value);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] MatchOp op() const { return op_; }
  [[nodiscard]] const std::string& value() const { return value_; }
  [[nodiscard]] bool Matches(std::string_view value) const;
  // name="value", name=~"value", ...
  [[nodiscard]] std::string ToString() const;

 private:
  class Regex;
  Matcher(std::string name, MatchOp op, std::string value);

  std::string name_;
  MatchOp op_;
  std::string value_;
  // Shared because a compiled expression is immutable and costly to copy.
  std::shared_ptr<const Regex> regex_;
};

[[nodiscard]] bool MatchesAll(std::span<const Matcher> matchers, const Labels& labels);

// Parses a vector selector without range, offset or @: `name`, `{a="b"}`,
// `name{a="b",c!="d",e=~"f.*",g!~"h"}`. The metric name becomes a matcher on
// __name__. Fails with kParse; the message carries the byte column.
[[nodiscard]] Result<std::vector<Matcher>> ParseSelector(std::string_view text);

}  // namespace firstword::promql
