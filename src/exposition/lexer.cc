#include "exposition/lexer.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <utility>

namespace firstword::exposition {
namespace {

enum : std::uint8_t { kNameStart = 1, kNameMore = 2, kColon = 4, kTokenEnd = 8 };

constexpr std::array<std::uint8_t, 256> kClass = [] {
  std::array<std::uint8_t, 256> table{};
  for (int c = 'a'; c <= 'z'; ++c) table[static_cast<std::size_t>(c)] = kNameStart | kNameMore;
  for (int c = 'A'; c <= 'Z'; ++c) table[static_cast<std::size_t>(c)] = kNameStart | kNameMore;
  for (int c = '0'; c <= '9'; ++c) table[static_cast<std::size_t>(c)] = kNameMore;
  table['_'] = kNameStart | kNameMore;
  table[':'] = kColon;
  for (const char c : {' ', '\t', '\n', '\r'}) table[static_cast<std::size_t>(c)] |= kTokenEnd;
  return table;
}();

std::uint8_t ClassOf(char c) { return kClass[static_cast<unsigned char>(c)]; }

}  // namespace

std::size_t FindInvalidUtf8(std::string_view text) {
  std::size_t i = 0;
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  while (i < text.size()) {
    if (i + 8 <= text.size()) {
      std::uint64_t word;
      std::memcpy(&word, text.data() + i, 8);
      if ((word & 0x8080808080808080u) == 0) {
        i += 8;
        continue;
      }
    }
    const unsigned char first = byte(i);
    if (first < 0x80) {
      ++i;
      continue;
    }
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || i + length > text.size()) return i;
    for (std::size_t k = 1; k < length; ++k) {
      if ((byte(i + k) & 0xc0) != 0x80) return i;
    }
    // Over-long forms, surrogates and code points past U+10FFFF.
    const unsigned char second = byte(i + 1);
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
        (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f)) {
      return i;
    }
    i += length;
  }
  return std::string_view::npos;
}

Lexer::Lexer(std::string_view body, Format format, Mode mode)
    : body_(body), open_metrics_(format == Format::kOpenMetrics), strict_(mode == Mode::kStrict) {}

bool Lexer::NextIsComment() {
  std::size_t at = at_;
  while (at < body_.size() && (body_[at] == ' ' || body_[at] == '\t')) ++at;
  return at < body_.size() && body_[at] == '#';
}

bool Lexer::SkipBlankLine() {
  std::size_t at = at_;
  while (at < body_.size() && body_[at] != '\n' && (ClassOf(body_[at]) & kTokenEnd)) ++at;
  if (at < body_.size() && body_[at] != '\n') return false;
  lenient_ = false;
  if (open_metrics_) Lenient(at_, "blank line; OpenMetrics allows none");
  at_ = at + 1;
  return true;
}

bool Lexer::ReadSample(SampleLine* line) {
  lenient_ = false;
  line_start_ = at_;
  line->labels.clear();
  line->timestamp = {};
  line->has_exemplar = false;
  if (SkipBlanks() > 0 && open_metrics_) Lenient(at_ - 1, "blank before the metric name");
  const std::size_t start = at_;
  line->name = ReadName(/*colons=*/true);
  const std::size_t blanks = SkipBlanks();
  const bool labelled = Peek() == '{';
  if (labelled) {
    if (blanks > 0 && open_metrics_) Lenient(at_ - 1, "blank before '{'");
    if (!ReadLabels(line)) return false;
  } else if (line->name.empty()) {
    return Fault(start, fmt::format("expected a metric name, found {}", Found()));
  }
  if (line->name.empty()) return Fault(start, "labels without a metric name");
  const std::size_t gap = labelled ? SkipBlanks() : blanks;
  if (open_metrics_ && gap != 1) Lenient(at_, "exactly one space must precede the value");
  line->value = ReadToken();
  if (line->value.empty()) return Fault(at_, fmt::format("expected a value, found {}", Found()));
  const std::size_t value_end = at_;
  SkipBlanks();
  if (at_ > value_end && Peek() != '\n' && Peek() != '\r' && Peek() != '#' && !AtEnd()) {
    line->timestamp = ReadToken();
    SkipBlanks();
  }
  if (Peek() == '#') {
    if (!open_metrics_) return Fault(at_, "text after the sample");
    if (!ReadExemplar(line)) return false;
  }
  return FinishLine();
}

bool Lexer::FinishLine() {
  if (Peek() == '\r' && (at_ + 1 == body_.size() || body_[at_ + 1] == '\n')) {
    Lenient(at_, "carriage return before the line end");
    ++at_;
  }
  if (AtEnd()) return true;
  if (body_[at_] != '\n')
    return Fault(at_, fmt::format("expected the end of the line, found {}", Found()));
  if (open_metrics_ && at_ > 0 && body_[at_ - 1] == ' ')
    Lenient(at_ - 1, "blank at the end of the line");
  ++at_;
  return true;
}

bool Lexer::ReadLabels(SampleLine* line) {
  ++at_;
  while (true) {
    SkipBlanks();
    if (Peek() == '}' && !AtEnd()) {
      ++at_;
      return true;
    }
    if (!ReadLabel(line)) return false;
    SkipBlanks();
    if (Peek() == ',') {
      ++at_;
    } else if (Peek() != '}') {
      if (open_metrics_ || AtEnd() || (Peek() != '"' && !(ClassOf(Peek()) & kNameStart))) {
        return Fault(at_, fmt::format("expected ',' or '}}', found {}", Found()));
      }
      Lenient(at_, "missing comma between labels");
    }
  }
}

bool Lexer::ReadLabel(SampleLine* line) {
  const std::size_t start = at_;
  std::string_view name;
  if (Peek() == '"') {
    if (!ReadQuoted(&name)) return false;
    SkipBlanks();
    if (Peek() == ',' || Peek() == '}') {  // {"the.metric.name", ...}
      if (!line->name.empty()) return Fault(start, "second metric name");
      if (name.empty()) return Fault(start, "empty metric name");
      line->name = name;
      return true;
    }
  } else {
    name = ReadName(/*colons=*/false);
  }
  if (name.empty()) return Fault(start, fmt::format("expected a label name, found {}", Found()));
  if (SkipBlanks() > 0 && open_metrics_) Lenient(at_ - 1, "blank before '='");
  if (Peek() != '=')
    return Fault(at_, fmt::format("expected '=' after label {}, found {}", name, Found()));
  ++at_;
  if (SkipBlanks() > 0 && open_metrics_) Lenient(at_ - 1, "blank after '='");
  if (Peek() != '"') {
    return Fault(
        at_, fmt::format("value of label {} must be in double quotes, found {}", name, Found()));
  }
  std::string_view value;
  if (!ReadQuoted(&value)) return false;
  line->labels.push_back({name, value});
  return true;
}

bool Lexer::ReadQuoted(std::string_view* text) {
  const std::size_t open = at_++;
  const std::size_t start = at_;
  bool escaped = false;
  bool ascii = true;
  for (; at_ < body_.size() && body_[at_] != '"'; ++at_) {
    if (body_[at_] == '\\') {
      escaped = true;
      if (++at_ >= body_.size()) break;
    }
    ascii &= static_cast<unsigned char>(body_[at_]) < 0x80;
  }
  if (at_ >= body_.size()) {
    return Fault(open, "the quote is never closed");
  }
  const std::string_view raw = body_.substr(start, at_ - start);
  ++at_;
  if (!ascii) {
    if (const std::size_t bad = FindInvalidUtf8(raw); bad != std::string_view::npos) {
      return Fault(start + bad, "invalid UTF-8");
    }
  }
  if (!escaped) {
    *text = raw;
    return true;
  }
  std::string& plain = arena_.emplace_back();
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] == '\\' && i + 1 < raw.size()) {
      const char next = raw[i + 1];
      if (next == 'n' || next == '\\' || next == '"') {
        plain += next == 'n' ? '\n' : next;
        ++i;
        continue;
      }
      Lenient(start + i, "unknown escape");
    }
    plain += raw[i];
  }
  *text = plain;
  return true;
}

bool Lexer::ReadExemplar(SampleLine* line) {
  ++at_;
  SkipBlanks();
  if (Peek() != '{')
    return Fault(at_, fmt::format("expected '{{' of the exemplar, found {}", Found()));
  SampleLine exemplar;
  exemplar.name = "exemplar";
  if (!ReadLabels(&exemplar)) return false;
  SkipBlanks();
  if (ReadToken().empty()) return Fault(at_, "exemplar without a value");
  SkipBlanks();
  if (Peek() != '\n' && Peek() != '\r') ReadToken();
  line->has_exemplar = true;
  return true;
}

bool Lexer::ReadComment(MetadataLine* line) {
  lenient_ = false;
  line_start_ = at_;
  *line = {};
  SkipBlanks();
  const std::size_t start = at_++;  // '#'
  const std::size_t newline = body_.find('\n', at_);
  std::size_t end = newline == std::string_view::npos ? body_.size() : newline;
  const std::size_t next = end == body_.size() ? end : end + 1;
  if (end > at_ && body_[end - 1] == '\r') {
    Lenient(end - 1, "carriage return before the line end");
    --end;
  }
  const std::string_view rest = body_.substr(0, end);
  const auto skip = [&] {
    while (at_ < end && (body_[at_] == ' ' || body_[at_] == '\t')) ++at_;
  };
  skip();
  const std::size_t keyword_at = at_;
  while (at_ < end && !(ClassOf(body_[at_]) & kTokenEnd)) ++at_;
  const std::string_view keyword = rest.substr(keyword_at, at_ - keyword_at);
  using Kind = MetadataLine::Kind;
  Kind kind = Kind::kComment;
  if (keyword == "TYPE") kind = Kind::kType;
  if (keyword == "HELP") kind = Kind::kHelp;
  if (keyword == "UNIT" && open_metrics_) kind = Kind::kUnit;
  if (keyword == "EOF" && open_metrics_ && at_ == end) kind = Kind::kEof;
  line->kind = kind;
  if (kind == Kind::kComment || kind == Kind::kEof) {
    if (kind == Kind::kComment && open_metrics_) Lenient(start, "comment; OpenMetrics allows none");
    at_ = next;
    return true;
  }
  skip();
  const std::size_t name_at = at_;
  if (at_ < end && body_[at_] == '"') {
    if (!ReadQuoted(&line->name) || at_ > end) {
      at_ = next;
      return false;
    }
  } else {
    line->name = ReadName(/*colons=*/true);
  }
  if (line->name.empty() || (at_ < end && !(ClassOf(body_[at_]) & kTokenEnd))) {
    const bool fault = Fault(name_at, fmt::format("expected a metric name after # {}", keyword));
    at_ = next;
    return fault;
  }
  skip();
  line->text_at = at_;
  line->text = rest.substr(at_, end - at_);
  if (kind == Kind::kHelp && line->text.find('\\') != std::string_view::npos) {
    std::string& plain = arena_.emplace_back();
    for (std::size_t i = 0; i < line->text.size(); ++i) {
      const char c = line->text[i];
      const char following = i + 1 < line->text.size() ? line->text[i + 1] : '\0';
      if (c == '\\' &&
          (following == 'n' || following == '\\' || (open_metrics_ && following == '"'))) {
        plain += following == 'n' ? '\n' : following;
        ++i;
      } else {
        plain += c;
      }
    }
    line->text = plain;
  }
  at_ = next;
  return true;
}

std::string_view Lexer::ReadName(bool colons) {
  const std::size_t start = at_;
  const std::uint8_t first = colons ? kNameStart | kColon : kNameStart;
  const std::uint8_t more = colons ? kNameMore | kColon : kNameMore;
  if (at_ < body_.size() && (ClassOf(body_[at_]) & first)) {
    do ++at_;
    while (at_ < body_.size() && (ClassOf(body_[at_]) & more));
  }
  return body_.substr(start, at_ - start);
}

std::string_view Lexer::ReadToken() {
  const std::size_t start = at_;
  while (at_ < body_.size() && !(ClassOf(body_[at_]) & kTokenEnd)) ++at_;
  return body_.substr(start, at_ - start);
}

std::size_t Lexer::SkipBlanks() {
  const std::size_t start = at_;
  while (at_ < body_.size() && (body_[at_] == ' ' || body_[at_] == '\t')) ++at_;
  return at_ - start;
}

bool Lexer::Fault(std::size_t at, std::string message) {
  fault_ = {at, std::move(message)};
  SkipLine();
  return false;
}

void Lexer::Lenient(std::size_t at, std::string_view message) {
  if (!strict_ || lenient_) return;
  lenient_ = true;
  leniency_ = {at, std::string(message)};
}

void Lexer::SkipLine() {
  // From the line's start: an open quote may have run over sound lines that follow.
  const std::size_t newline = body_.find('\n', line_start_);
  at_ = newline == std::string_view::npos ? body_.size() : newline + 1;
}

std::string Lexer::Found() const {
  if (AtEnd() || body_[at_] == '\n' || body_[at_] == '\r') return "the end of the line";
  const unsigned char c = static_cast<unsigned char>(body_[at_]);
  if (c < 0x20 || c >= 0x7f) return fmt::format("byte 0x{:02x}", c);
  return fmt::format("'{}'", static_cast<char>(c));
}

}  // namespace firstword::exposition
