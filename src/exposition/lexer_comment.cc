// The lines of a page that begin with '#'.

#include <fmt/format.h>

#include "exposition/characters.h"
#include "exposition/lexer.h"
#include "exposition/utf8.h"

namespace firstword::exposition {
namespace {

using Kind = MetadataLine::Kind;

Kind KindOf(std::string_view keyword, bool open_metrics) {
  if (keyword == "TYPE") return Kind::kType;
  if (keyword == "HELP") return Kind::kHelp;
  if (keyword == "UNIT" && open_metrics) return Kind::kUnit;
  return Kind::kComment;
}

}  // namespace

bool Lexer::ReadComment(MetadataLine* line) {
  BeginLine();
  *line = {};
  SkipBlanks();
  WantNoBlank(line_start_, "before '#'");
  const std::size_t newline = text_.find('\n', at_);
  std::size_t end = newline == std::string_view::npos ? text_.size() : newline;
  if (text_[end - 1] == '\r') {
    Depart(--end, "carriage return; lines must end in a newline alone");
  }
  if (open_metrics_ && text_.substr(at_, end - at_) == "# EOF") {
    line->kind = Kind::kEof;
  } else if (!ReadMetadata(line, end)) {
    return false;
  }
  EndLineBehind(newline);
  return true;
}

bool Lexer::ReadMetadata(MetadataLine* line, std::size_t end) {
  const std::size_t start = at_++;
  std::size_t gap = at_;
  SkipBlanks();
  const std::size_t keyword_gap = at_ - gap;
  const std::string_view keyword = ReadToken();
  line->kind = KindOf(keyword, open_metrics_);
  if (line->kind == Kind::kComment) {
    if (open_metrics_) Depart(start, "comment; OpenMetrics has only # TYPE, # HELP, # UNIT, # EOF");
    const std::size_t bad =
        strict_ ? FindInvalidUtf8(text_.substr(start, end - start)) : std::string_view::npos;
    if (bad != std::string_view::npos) Depart(start + bad, "invalid UTF-8");
    return true;
  }
  if (open_metrics_ && (keyword_gap != 1 || text_[gap] != ' ')) {
    Depart(gap, fmt::format("exactly one space must stand before {}", keyword));
  }
  gap = at_;
  SkipBlanks();
  WantOneSpace(gap, "the metric name");
  const std::size_t name_at = at_;
  if (Peek() == '"') {
    if (!ReadQuoted(&line->name)) return false;
    if (at_ > end) return Fail(name_at, "the quote is never closed");
  } else {
    line->name = ReadName(/*colons=*/true);
  }
  if (line->name.empty() || (at_ < end && !Is(text_[at_], kBlank))) {
    return Fail(name_at, fmt::format("expected a metric name after # {}", keyword));
  }
  gap = at_;
  SkipBlanks();
  if (at_ < end) WantOneSpace(gap, "the text");
  line->where = line->text = text_.substr(at_, end - at_);
  if (line->kind == Kind::kHelp) {
    const std::size_t bad = FindInvalidUtf8(line->text);
    if (bad != std::string_view::npos) return Fail(at_ + bad, "invalid UTF-8");
    if (line->text.find('\\') != std::string_view::npos) {
      line->text = Unescape(line->text, /*quotes=*/open_metrics_);
    }
    return true;
  }
  while (!line->text.empty() && Is(line->text.back(), kBlank)) line->text.remove_suffix(1);
  at_ = end;
  WantNoBlank(static_cast<std::size_t>(line->text.data() - text_.data()) + line->text.size(),
              "at the end of the line");
  return true;
}

}  // namespace firstword::exposition
