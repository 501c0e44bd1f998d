#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "exposition/page.h"
#include "exposition/parser.h"

namespace firstword::exposition {

// One sample line, as views into the body or into the lexer's arena.
struct SampleLine {
  std::string_view name;
  std::vector<LabelView> labels;
  std::string_view value;      // the number as written
  std::string_view timestamp;  // as written; empty when absent
  bool has_exemplar = false;
};

// A "# TYPE", "# HELP" or "# UNIT" line.
struct MetadataLine {
  enum class Kind : std::uint8_t { kComment, kType, kHelp, kUnit, kEof };
  Kind kind = Kind::kComment;
  std::string_view name;
  std::string_view text;    // type word, help (unescaped) or unit
  std::size_t text_at = 0;  // offset of `text`
};

struct LexFault {
  std::size_t at = 0;  // offset into the body
  std::string message;
};

// Walks a body line by line. Label values may hold raw newlines, so a sample line
// ends where the grammar says, not at the first newline. Views stay valid as long as
// the body and the lexer live.
class Lexer {
 public:
  Lexer(std::string_view body, Format format, Mode mode);

  [[nodiscard]] bool AtEnd() const { return at_ >= body_.size(); }
  [[nodiscard]] std::size_t offset() const { return at_; }
  [[nodiscard]] bool NextIsComment();
  // Skips a line with nothing but blanks; true if there was one.
  bool SkipBlankLine();

  // Each reads one line and moves behind it. False on a fault, which fault() names;
  // the next line then is the one after the damage.
  bool ReadSample(SampleLine* line);
  bool ReadComment(MetadataLine* line);
  [[nodiscard]] const LexFault& fault() const { return fault_; }
  // Departures that tolerant mode lets pass, strict mode names; one a line at most.
  [[nodiscard]] const LexFault* leniency() const { return lenient_ ? &leniency_ : nullptr; }

  // Gives up the texts that had to be unescaped; views into them stay valid.
  [[nodiscard]] std::deque<std::string> TakeArena() { return std::move(arena_); }

 private:
  bool ReadLabels(SampleLine* line);
  bool ReadLabel(SampleLine* line);
  bool ReadQuoted(std::string_view* text);
  bool ReadExemplar(SampleLine* line);
  bool FinishLine();
  std::string_view ReadName(bool colons);
  std::string_view ReadToken();
  std::size_t SkipBlanks();
  bool Fault(std::size_t at, std::string message);
  void Lenient(std::size_t at, std::string_view message);
  void SkipLine();
  [[nodiscard]] char Peek() const { return at_ < body_.size() ? body_[at_] : '\0'; }
  [[nodiscard]] std::string Found() const;

  const std::string_view body_;
  const bool open_metrics_;
  const bool strict_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  LexFault fault_;
  LexFault leniency_;
  bool lenient_ = false;
  std::deque<std::string> arena_;
};

// Offset of the first byte that is not valid UTF-8; npos when all are.
[[nodiscard]] std::size_t FindInvalidUtf8(std::string_view text);

}  // namespace firstword::exposition
