#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exposition/page.h"
#include "exposition/page_texts.h"
#include "exposition/parser.h"

namespace firstword::exposition {

// One sample line, as views into the page's texts.
struct SampleLine {
  std::string_view name;
  std::vector<LabelView> labels;
  std::string_view value;      // the number as written
  std::string_view timestamp;  // as written; empty when absent
  bool has_exemplar = false;
};

// A line that begins with '#'.
struct MetadataLine {
  enum class Kind : std::uint8_t { kComment, kType, kHelp, kUnit, kEof };
  Kind kind = Kind::kComment;
  std::string_view name;
  std::string_view text;   // type word, help (unescaped) or unit
  std::string_view where;  // the text as it stands on the page
};

// Walks a page line by line. Label values may hold raw newlines, so a sample line ends
// where the grammar says, not at the first newline.
class Lexer {
 public:
  Lexer(PageTexts* texts, Format format, Mode mode);

  enum class LineKind : std::uint8_t { kEnd, kBlank, kComment, kSample };
  [[nodiscard]] LineKind NextKind() const;

  void SkipLine();
  void ReadBlank();
  // Each reads one line of the kind and moves behind it. False on a fault, which fault()
  // names; the next line then is the one after the line on which the faulty one began.
  bool ReadComment(MetadataLine* line);
  bool ReadSample(SampleLine* line);

  // About the line last read (before the first: about the start of the page).
  [[nodiscard]] const Fault& fault() const { return fault_; }
  // What tolerant mode lets pass and strict mode names.
  [[nodiscard]] std::span<const Fault> departures() const { return departures_; }
  [[nodiscard]] std::uint32_t line() const { return line_; }
  // A fault of the whole line, or where `part` of the page begins, in or behind the line.
  [[nodiscard]] Fault FaultOfLine(std::string message) const;
  [[nodiscard]] Fault FaultOf(std::string_view part, std::string message) const;

 private:
  void BeginLine();
  bool ReadRestOfSample(SampleLine* line);
  bool ReadLabels(SampleLine* line);
  bool ReadLabel(SampleLine* line);
  bool ReadQuoted(std::string_view* text);
  bool ReadExemplar(const SampleLine& line);
  bool ReadMetadata(MetadataLine* line, std::size_t end);
  bool FinishLine();
  std::string_view ReadName(bool colons);
  std::string_view ReadToken();
  void SkipBlanks();
  std::string_view Unescape(std::string_view raw, bool quotes);

  // The blanks passed since `start`: OpenMetrics wants one space, or none at all.
  void WantOneSpace(std::size_t start, std::string_view before) {
    if (exact_ && (at_ - start != 1 || text_[start] != ' ')) DepartFromOneSpace(start, before);
  }
  void WantNoBlank(std::size_t start, std::string_view where) {
    if (exact_ && at_ > start) DepartFromNoBlank(start, where);
  }
  void DepartFromOneSpace(std::size_t at, std::string_view before);
  void DepartFromNoBlank(std::size_t at, std::string_view where);
  bool Fail(std::size_t at, std::string message);
  void Depart(std::size_t at, std::string_view message);
  void EndLineBehind(std::size_t newline);

  [[nodiscard]] bool AtEnd() const { return at_ >= text_.size(); }
  [[nodiscard]] char Peek() const { return AtEnd() ? '\0' : text_[at_]; }
  [[nodiscard]] bool AtLineEnd() const { return AtEnd() || Peek() == '\n' || Peek() == '\r'; }
  // Whether a newline, perhaps behind a carriage return, or the page's end stands there.
  [[nodiscard]] bool IsLineEnd(std::size_t at) const;
  [[nodiscard]] std::string Found() const;

  const std::string_view text_;
  std::pmr::monotonic_buffer_resource* const arena_;
  const bool open_metrics_;
  const bool strict_;
  const bool exact_;  // blanks are departures: strict OpenMetrics
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t next_line_ = 1;
  Fault fault_;
  std::vector<Fault> departures_;
  SampleLine exemplar_;
};

}  // namespace firstword::exposition
