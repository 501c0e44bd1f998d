#include "cli/text/paint.h"

namespace firstword::cli {
namespace {

std::string_view Sequence(Ink ink) {
  switch (ink) {
    case Ink::kPlain:
      return "";
    case Ink::kBold:
      return "\x1b[1m";
    case Ink::kDim:
      return "\x1b[2m";
    case Ink::kGood:
      return "\x1b[32m";
    case Ink::kWarn:
      return "\x1b[33m";
    case Ink::kBad:
      return "\x1b[1;31m";
  }
  return "";
}

}  // namespace

std::string Paint::operator()(Ink ink, std::string_view text) const {
  if (!color_ || ink == Ink::kPlain || text.empty()) return std::string(text);
  std::string out(Sequence(ink));
  out += text;
  out += "\x1b[0m";
  return out;
}

}  // namespace firstword::cli
