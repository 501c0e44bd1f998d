#include "exposition/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "exposition/characters.h"
#include "exposition/number.h"
#include "exposition/utf8.h"

namespace firstword::exposition {
namespace {

constexpr std::size_t kMaxExemplarCharacters = 128;  // of the OpenMetrics specification
constexpr std::size_t kMaxDeparturesOfALine = 100;   // else a line could take quadratic time
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

std::size_t CountCharacters(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::count_if(utf8.begin(), utf8.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

Lexer::Lexer(PageTexts* texts, Format format, Mode mode)
    : text_(texts->text),
      arena_(&texts->arena),
      open_metrics_(format == Format::kOpenMetrics),
      strict_(mode == Mode::kStrict),
      exact_(open_metrics_ && strict_) {
  if (text_.starts_with(kByteOrderMark)) {
    at_ = kByteOrderMark.size();
    Depart(0, "byte order mark; write UTF-8 without one");
  }
}

Lexer::LineKind Lexer::NextKind() const {
  if (AtEnd()) return LineKind::kEnd;
  std::size_t at = at_;
  while (at < text_.size() && Is(text_[at], kBlank)) ++at;
  if (IsLineEnd(at)) return LineKind::kBlank;
  return text_[at] == '#' ? LineKind::kComment : LineKind::kSample;
}

void Lexer::BeginLine() {
  departures_.clear();
  line_start_ = at_;
  line_ = next_line_;
}

bool Lexer::IsLineEnd(std::size_t at) const {
  if (at < text_.size() && text_[at] == '\r') ++at;
  return at >= text_.size() || text_[at] == '\n';
}

void Lexer::ReadBlank() {
  BeginLine();
  if (open_metrics_) Depart(at_, "blank line; OpenMetrics allows none");
  SkipBlanks();
  FinishLine();
}

void Lexer::SkipLine() {
  BeginLine();
  EndLineBehind(text_.find('\n', at_));
}

bool Lexer::ReadSample(SampleLine* line) {
  BeginLine();
  line->labels.clear();
  line->timestamp = {};
  line->has_exemplar = false;
  SkipBlanks();
  WantNoBlank(line_start_, "before the metric name");
  const std::size_t start = at_;
  line->name = ReadName(/*colons=*/true);
  std::size_t gap = at_;
  SkipBlanks();
  if (Peek() == '{') {
    WantNoBlank(gap, "before '{'");
    if (!ReadLabels(line)) return false;
    if (line->name.empty()) return Fail(start, "labels without a metric name");
    gap = at_;
    SkipBlanks();
  } else if (line->name.empty()) {
    return Fail(start, fmt::format("expected a metric name, found {}", Found()));
  }
  WantOneSpace(gap, "the value");
  line->value = ReadToken();
  if (line->value.empty()) return Fail(at_, fmt::format("expected a value, found {}", Found()));
  return ReadRestOfSample(line);
}

bool Lexer::ReadRestOfSample(SampleLine* line) {
  std::size_t gap = at_;
  SkipBlanks();
  if (at_ > gap && !AtLineEnd() && Peek() != '#') {
    WantOneSpace(gap, "the timestamp");
    line->timestamp = ReadToken();
    gap = at_;
    SkipBlanks();
  }
  if (Peek() == '#') {
    WantOneSpace(gap, "the exemplar");
    if (!open_metrics_) Depart(at_, "exemplar; only OpenMetrics has them");
    if (!ReadExemplar(*line)) return false;
    line->has_exemplar = true;
    gap = at_;
    SkipBlanks();
  }
  WantNoBlank(gap, "at the end of the line");
  return FinishLine();
}

bool Lexer::FinishLine() {
  if (Peek() == '\r' && IsLineEnd(at_)) {
    Depart(at_, "carriage return; lines must end in a newline alone");
    ++at_;
  }
  if (!AtEnd() && Peek() != '\n') {
    return Fail(at_, fmt::format("expected the end of the line, found {}", Found()));
  }
  if (!AtEnd()) {
    ++at_;
    ++next_line_;
  }
  return true;
}

bool Lexer::ReadLabels(SampleLine* line) {
  ++at_;
  while (true) {
    std::size_t gap = at_;
    SkipBlanks();
    WantNoBlank(gap, "inside braces");
    if (Peek() == '}') {
      ++at_;
      return true;
    }
    if (!ReadLabel(line)) return false;
    gap = at_;
    SkipBlanks();
    WantNoBlank(gap, "inside braces");
    if (Peek() == ',') {
      ++at_;
    } else if (Peek() != '}') {
      if (Peek() != '"' && !Is(Peek(), kNameStart)) {
        return Fail(at_, fmt::format("expected ',' or '}}', found {}", Found()));
      }
      Depart(at_, "missing comma between labels");
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
      if (!line->name.empty()) {
        return Fail(start,
                    fmt::format("second metric name; a label needs a value, {}=\"...\"", name));
      }
      if (name.empty()) return Fail(start, "empty metric name");
      line->name = name;
      return true;
    }
  } else {
    name = ReadName(/*colons=*/false);
  }
  if (name.empty()) return Fail(start, fmt::format("expected a label name, found {}", Found()));
  std::size_t gap = at_;
  SkipBlanks();
  WantNoBlank(gap, "before '='");
  if (Peek() != '=') {
    return Fail(at_, fmt::format("expected '=' after label {}, found {}", name, Found()));
  }
  gap = ++at_;
  SkipBlanks();
  WantNoBlank(gap, "after '='");
  if (Peek() != '"') {
    return Fail(at_, fmt::format("the value of label {} must be in double quotes, found {}", name,
                                 Found()));
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
  for (;; ++at_) {
    while (!AtEnd() && !Is(text_[at_], kQuotedEvent)) ++at_;
    if (AtEnd()) return Fail(open, "the quote is never closed");
    const char c = text_[at_];
    if (c == '"') break;
    if (c == '\\') {
      escaped = true;
      const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
      if (next == '"' || next == '\\') {
        ++at_;
      } else if (next != 'n') {
        Depart(at_, "unknown escape; write \\\\ for a backslash");
      }
    } else if (c == '\n') {
      Depart(at_, "line break inside quotes; write \\n");
      ++next_line_;
    } else {
      ascii = false;
    }
  }
  const std::string_view raw = text_.substr(start, at_ - start);
  ++at_;
  if (!ascii) {
    const std::size_t bad = FindInvalidUtf8(raw);
    if (bad != std::string_view::npos) return Fail(start + bad, "invalid UTF-8");
  }
  *text = escaped ? Unescape(raw, /*quotes=*/true) : raw;
  return true;
}

std::string_view Lexer::Unescape(std::string_view raw, bool quotes) {
  char* const plain = static_cast<char*>(arena_->allocate(raw.size(), 1));
  std::size_t size = 0;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const char next = i + 1 < raw.size() ? raw[i + 1] : '\0';
    const bool escape = raw[i] == '\\' && (next == 'n' || next == '\\' || (quotes && next == '"'));
    if (escape) ++i;
    plain[size++] = !escape ? raw[i] : next == 'n' ? '\n' : next;
  }
  return {plain, size};
}

bool Lexer::ReadExemplar(const SampleLine& line) {
  const std::size_t start = at_++;
  std::size_t gap = at_;
  SkipBlanks();
  WantOneSpace(gap, "the exemplar's labels");
  if (Peek() != '{') {
    return Fail(at_, fmt::format("expected '{{' of the exemplar, found {}", Found()));
  }
  exemplar_.name = line.name;  // so that a bare string inside is a fault
  exemplar_.labels.clear();
  if (!ReadLabels(&exemplar_)) return false;
  gap = at_;
  SkipBlanks();
  WantOneSpace(gap, "the exemplar's value");
  const std::size_t value_at = at_;
  double number = 0;
  if (!ParseNumber(ReadToken(), &number)) {
    return Fail(value_at, "the exemplar has no number as its value");
  }
  gap = at_;
  SkipBlanks();
  if (!AtLineEnd()) {
    WantOneSpace(gap, "the exemplar's timestamp");
    const std::size_t time_at = at_;
    std::int64_t ms = 0;
    if (!ParseTimestamp(ReadToken(), Format::kOpenMetrics, &ms)) {
      return Fail(time_at, "the exemplar's timestamp is not a number of seconds");
    }
  } else {
    at_ = gap;
  }
  if (!strict_) return true;
  if (open_metrics_ && !line.name.ends_with("_total") && !line.name.ends_with("_bucket")) {
    Depart(start, "exemplar of a sample that is neither a _total nor a _bucket");
  }
  std::size_t characters = 0;
  for (const LabelView& label : exemplar_.labels) {
    characters += CountCharacters(label.name) + CountCharacters(label.value);
  }
  if (characters > kMaxExemplarCharacters) {
    Depart(start, fmt::format("the exemplar's labels have {} characters; at most {} are allowed",
                              characters, kMaxExemplarCharacters));
  }
  return true;
}

std::string_view Lexer::ReadName(bool colons) {
  const std::size_t start = at_;
  const unsigned more = colons ? kNameMore | kColon : kNameMore;
  if (Is(Peek(), colons ? kNameStart | kColon : kNameStart)) {
    do ++at_;
    while (!AtEnd() && Is(text_[at_], more));
  }
  return text_.substr(start, at_ - start);
}

std::string_view Lexer::ReadToken() {
  const std::size_t start = at_;
  while (!AtEnd() && !Is(text_[at_], kTokenEnd)) ++at_;
  return text_.substr(start, at_ - start);
}

void Lexer::SkipBlanks() {
  while (!AtEnd() && Is(text_[at_], kBlank)) ++at_;
}

void Lexer::DepartFromOneSpace(std::size_t at, std::string_view before) {
  Depart(at, fmt::format("exactly one space must stand before {}", before));
}

void Lexer::DepartFromNoBlank(std::size_t at, std::string_view where) {
  Depart(at, fmt::format("blank {}", where));
}

bool Lexer::Fail(std::size_t at, std::string message) {
  fault_ = FaultOf(text_.substr(at), std::move(message));
  departures_.clear();
  // From the line's start: an open quote may have run over sound lines that follow.
  next_line_ = line_;
  EndLineBehind(text_.find('\n', line_start_));
  return false;
}

void Lexer::Depart(std::size_t at, std::string_view message) {
  if (!strict_ || departures_.size() == kMaxDeparturesOfALine) return;
  departures_.push_back(FaultOf(text_.substr(at), std::string(message)));
}

void Lexer::EndLineBehind(std::size_t newline) {
  at_ = newline == std::string_view::npos ? text_.size() : newline + 1;
  next_line_ += newline != std::string_view::npos;
}

Fault Lexer::FaultOfLine(std::string message) const { return {line_, 1, std::move(message)}; }

Fault Lexer::FaultOf(std::string_view part, std::string message) const {
  // A line may span several of the page, by line breaks inside quotes.
  const auto at = static_cast<std::size_t>(part.data() - text_.data());
  const std::string_view before = text_.substr(line_start_, at - line_start_);
  const std::size_t newline = before.rfind('\n');
  const std::size_t column =
      newline == std::string_view::npos ? before.size() : before.size() - newline - 1;
  return {line_ + static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n')),
          static_cast<std::uint32_t>(column + 1), std::move(message)};
}

std::string Lexer::Found() const {
  if (IsLineEnd(at_)) return "the end of the line";
  const auto c = static_cast<unsigned char>(text_[at_]);
  if (c < 0x20 || c >= 0x7f) return fmt::format("byte 0x{:02x}", c);
  return fmt::format("'{}'", static_cast<char>(c));
}

}  // namespace firstword::exposition
