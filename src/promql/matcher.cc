#include "promql/matcher.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <utility>

namespace firstword::promql {

class Matcher::Regex {
 public:
  explicit Regex(std::string_view pattern) : re_(fmt::format("^(?s:{})$", pattern), RE2::Quiet) {}

  const RE2& re() const { return re_; }

 private:
  RE2 re_;
};

Matcher::Matcher(std::string name, MatchOp op, std::string value)
    : name_(std::move(name)), op_(op), value_(std::move(value)) {}

Result<Matcher> Matcher::Create(std::string_view name, MatchOp op, std::string_view value) {
  Matcher matcher{std::string(name), op, std::string(value)};
  if (op == MatchOp::kRegex || op == MatchOp::kNotRegex) {
    // The pattern must be sound by itself: ")(" would slip through the wrapping.
    const RE2 alone(matcher.value_, RE2::Quiet);
    if (!alone.ok()) {
      return Fail(ErrorCode::kParse,
                  fmt::format("bad regular expression \"{}\": {}", value, alone.error()));
    }
    matcher.regex_ = std::make_shared<const Regex>(value);
  }
  return matcher;
}

Matcher Matcher::Equal(std::string_view name, std::string_view value) {
  return Matcher{std::string(name), MatchOp::kEqual, std::string(value)};
}

bool Matcher::Matches(std::string_view value) const {
  switch (op_) {
    case MatchOp::kEqual:
      return value == value_;
    case MatchOp::kNotEqual:
      return value != value_;
    case MatchOp::kRegex:
      return RE2::FullMatch(re2::StringPiece(value.data(), value.size()), regex_->re());
    case MatchOp::kNotRegex:
      return !RE2::FullMatch(re2::StringPiece(value.data(), value.size()), regex_->re());
  }
  return false;
}

std::string Matcher::ToString() const {
  static constexpr std::string_view kOps[] = {"=", "!=", "=~", "!~"};
  return fmt::format("{}{}{:?}", name_, kOps[static_cast<std::size_t>(op_)], value_);
}

bool MatchesAll(std::span<const Matcher> matchers, const Labels& labels) {
  for (const Matcher& matcher : matchers) {
    if (!matcher.Matches(labels.Get(matcher.name()))) return false;
  }
  return true;
}

}  // namespace firstword::promql
