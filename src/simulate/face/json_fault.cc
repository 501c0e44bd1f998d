#include <simdjson.h>

#include "simulate/face/json_text.h"

namespace firstword::simulate {
namespace {

constexpr int kDeepest = 1000;  // a little less than simdjson takes

// The parser that reads requests says what is wrong but not where; this one finds the place.
class FaultFinder {
 public:
  explicit FaultFinder(std::string_view text) : text_(text) {}

  std::optional<JsonFault> Find() {
    if (!Value(0)) return fault_;
    SkipBlanks();
    if (at_ < text_.size()) Expected("the end, after a whole value");
    return fault_;
  }

 private:
  bool Expected(std::string_view what) {
    if (!fault_) fault_ = JsonFault{at_, what};
    return false;
  }
  [[nodiscard]] char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  [[nodiscard]] bool AtDigit() const { return Peek() >= '0' && Peek() <= '9'; }
  bool Take(char c) {
    if (Peek() != c || at_ == text_.size()) return false;
    ++at_;
    return true;
  }
  void SkipBlanks() {
    while (Take(' ') || Take('\n') || Take('\r') || Take('\t')) {
    }
  }

  bool Value(int depth) {
    SkipBlanks();
    if (depth > kDeepest) return Expected("less than 1000 values in one another");
    switch (Peek()) {
      case '{':
        return Members(depth);
      case '[':
        return Elements(depth);
      case '"':
        return String();
      case 't':
        return Word("true");
      case 'f':
        return Word("false");
      case 'n':
        return Word("null");
      default:
        return Number();
    }
  }

  bool Members(int depth) {
    ++at_;
    SkipBlanks();
    if (Take('}')) return true;
    do {
      SkipBlanks();
      if (Peek() != '"') return Expected("a field name in double quotes");
      if (!String()) return false;
      SkipBlanks();
      if (!Take(':')) return Expected("a colon after the field name");
      if (!Value(depth + 1)) return false;
      SkipBlanks();
    } while (Take(','));
    return Take('}') || Expected("a comma or } after the field");
  }

  bool Elements(int depth) {
    ++at_;
    SkipBlanks();
    if (Take(']')) return true;
    do {
      if (!Value(depth + 1)) return false;
      SkipBlanks();
    } while (Take(','));
    return Take(']') || Expected("a comma or ] after the element");
  }

  bool String() {
    ++at_;
    const std::size_t begin = at_;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        if (!simdjson::validate_utf8(&text_[begin], at_ - begin)) {
          at_ = begin;
          return Expected("a string in UTF-8");
        }
        ++at_;
        return true;
      }
      if (static_cast<unsigned char>(text_[at_]) < 0x20) {
        return Expected("an escape like \\n instead of a bare control character");
      }
      if (text_[at_] == '\\' && !Escape()) return false;
    }
    return Expected("the closing quote of the string");
  }

  // Leaves at_ on its last character.
  bool Escape() {
    ++at_;
    if (Peek() != 'u') {
      return (at_ < text_.size() && std::string_view("\"\\/bfnrt").contains(Peek())) ||
             Expected("one of \" \\ / b f n r t u after a backslash");
    }
    for (int i = 0; i < 4; ++i) {
      ++at_;
      if (at_ == text_.size() || !std::string_view("0123456789abcdefABCDEF").contains(Peek())) {
        return Expected("four hexadecimal digits after \\u");
      }
    }
    return true;
  }

  bool Word(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return Expected("a value");
    at_ += word.size();
    return true;
  }

  bool Digits() {
    if (!AtDigit()) return Expected("a digit");
    while (AtDigit()) ++at_;
    return true;
  }

  bool Number() {
    if (!AtDigit() && Peek() != '-') return Expected("a value");
    Take('-');
    if (Take('0')) {
      if (AtDigit()) return Expected("a number without leading zeros");
    } else if (!Digits()) {
      return false;
    }
    if (Take('.') && !Digits()) return false;
    if (Take('e') || Take('E')) {
      if (!Take('+')) Take('-');
      return Digits();
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::optional<JsonFault> fault_;
};

}  // namespace

std::optional<JsonFault> FindJsonFault(std::string_view text) { return FaultFinder(text).Find(); }

}  // namespace firstword::simulate
