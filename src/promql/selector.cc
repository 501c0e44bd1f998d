#include <fmt/format.h>

#include <cctype>
#include <optional>

#include "promql/matcher.h"

namespace firstword::promql {
namespace {

bool IsNameStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool IsNameChar(char c) { return IsNameStart(c) || std::isdigit(static_cast<unsigned char>(c)); }

// A cursor over the selector text; every failure says the 1-based byte column.
class SelectorParser {
 public:
  explicit SelectorParser(std::string_view text) : text_(text) {}

  Result<std::vector<Matcher>> Parse() {
    SkipBlanks();
    if (const std::string_view name = Name(/*colons=*/true); !name.empty()) {
      matchers_.push_back(Matcher::Equal(kMetricName, name));
    }
    SkipBlanks();
    if (Take('{')) {
      if (Result<void> body = Body(); !body) return std::unexpected(body.error());
    }
    SkipBlanks();
    if (at_ != text_.size()) return Unexpected("the end of the selector");
    if (matchers_.empty()) {
      return Fail(ErrorCode::kParse, "empty selector: give a metric name or a label matcher");
    }
    return std::move(matchers_);
  }

 private:
  Result<void> Body() {
    while (true) {
      SkipBlanks();
      if (Take('}')) return {};
      if (Result<void> one = OneMatcher(); !one) return one;
      SkipBlanks();
      if (Take('}')) return {};
      if (!Take(',')) return Unexpected("',' or '}'");
    }
  }

  Result<void> OneMatcher() {
    std::string name;
    if (Peek() == '"' || Peek() == '\'') {
      Result<std::string> quoted = Quoted();
      if (!quoted) return std::unexpected(quoted.error());
      name = *std::move(quoted);
      SkipBlanks();
      if (Peek() == ',' || Peek() == '}') {  // {"the.metric.name", ...}
        matchers_.push_back(Matcher::Equal(kMetricName, name));
        return {};
      }
    } else {
      name = Name(/*colons=*/false);
      if (name.empty()) return Unexpected("a label name");
    }
    SkipBlanks();
    const std::optional<MatchOp> op = Operator();
    if (!op) return Unexpected("one of = != =~ !~");
    SkipBlanks();
    if (Peek() != '"' && Peek() != '\'') return Unexpected("a quoted value");
    Result<std::string> value = Quoted();
    if (!value) return std::unexpected(value.error());
    Result<Matcher> matcher = Matcher::Create(name, *op, *value);
    if (!matcher) return std::unexpected(matcher.error());
    matchers_.push_back(*std::move(matcher));
    return {};
  }

  std::optional<MatchOp> Operator() {
    if (Take('=')) return Take('~') ? MatchOp::kRegex : MatchOp::kEqual;
    if (Take('!')) {
      if (Take('=')) return MatchOp::kNotEqual;
      if (Take('~')) return MatchOp::kNotRegex;
      --at_;
    }
    return std::nullopt;
  }

  Result<std::string> Quoted() {
    const std::size_t start = at_;
    const char quote = text_[at_++];
    std::string out;
    while (at_ < text_.size()) {
      char c = text_[at_++];
      if (c == quote) return out;
      if (c == '\\' && at_ < text_.size()) {
        c = text_[at_++];
        if (c == 'n') c = '\n';
        if (c == 't') c = '\t';
      }
      out += c;
    }
    at_ = start;
    return Fail(ErrorCode::kParse, fmt::format("column {}: the quote is never closed", start + 1));
  }

  std::string_view Name(bool colons) {
    const std::size_t start = at_;
    const auto extra = [&](char c) { return colons && c == ':'; };
    if (at_ < text_.size() && (IsNameStart(text_[at_]) || extra(text_[at_]))) {
      while (at_ < text_.size() && (IsNameChar(text_[at_]) || extra(text_[at_]))) ++at_;
    }
    return text_.substr(start, at_ - start);
  }

  std::unexpected<Error> Unexpected(std::string_view wanted) const {
    const std::string_view got = text_.substr(at_, 12);
    return Fail(ErrorCode::kParse, fmt::format("column {}: expected {}, found {}", at_ + 1, wanted,
                                               got.empty() ? "the end" : fmt::format("{:?}", got)));
  }

  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool Take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void SkipBlanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Matcher> matchers_;
};

}  // namespace

Result<std::vector<Matcher>> ParseSelector(std::string_view text) {
  return SelectorParser(text).Parse();
}

}  // namespace firstword::promql
