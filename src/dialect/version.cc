#include "dialect/version.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace firstword::dialect {
namespace {

// Takes a decimal number from the front; nullopt when there is none or it is
// absurdly large.
std::optional<int> TakeNumber(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0 || number > 1'000'000'000) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool TakeWord(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

bool StartsWithDigit(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front()));
}

// "rc1", ".post3", ".dev12": where the build stands beside the release.
constexpr int kRcBase = -1'000'000'000;
constexpr int kDevBase = -2'000'000'000;

std::optional<int> ParseStage(std::string_view text) {
  if (text.empty()) return 0;
  if (text.front() == '.' || text.front() == '-') text.remove_prefix(1);
  int base = 0;
  if (TakeWord(text, "rc")) {
    base = kRcBase;
  } else if (TakeWord(text, "dev")) {
    base = kDevBase;
  } else if (!TakeWord(text, "post")) {
    return std::nullopt;
  }
  const std::optional<int> number = StartsWithDigit(text) ? TakeNumber(text) : 0;
  if (!number || !text.empty()) return std::nullopt;
  return base == 0 ? *number + 1 : base + std::min(*number, 999'999'999);
}

}  // namespace

std::optional<Version> Version::Parse(std::string_view text) {
  Version version;
  version.text_ = std::string(text);
  text = text.substr(0, text.find('+'));  // "+cu126" names a build, not a release
  if (text.starts_with('v') || text.starts_with('b')) text.remove_prefix(1);
  while (true) {
    if (!StartsWithDigit(text)) return std::nullopt;
    const std::optional<int> part = TakeNumber(text);
    if (!part) return std::nullopt;
    version.parts_.push_back(*part);
    if (!text.starts_with('.') || !StartsWithDigit(text.substr(1))) break;
    text.remove_prefix(1);
  }
  const std::optional<int> stage = ParseStage(text);
  if (!stage) return std::nullopt;
  version.stage_ = *stage;
  return version;
}

std::strong_ordering operator<=>(const Version& a, const Version& b) {
  const std::size_t size = std::max(a.parts_.size(), b.parts_.size());
  for (std::size_t i = 0; i < size; ++i) {
    const int left = i < a.parts_.size() ? a.parts_[i] : 0;
    const int right = i < b.parts_.size() ? b.parts_[i] : 0;
    if (left != right) return left <=> right;
  }
  return a.stage_ <=> b.stage_;
}

bool VersionRange::Overlaps(const VersionRange& other) const {
  if (min && other.max && *min > *other.max) return false;
  return !(max && other.min && *other.min > *max);
}

std::string VersionRange::ToString() const {
  if (min && max) {
    return *min == *max ? min->ToString() : min->ToString() + " to " + max->ToString();
  }
  if (min) return min->ToString() + " or later";
  if (max) return "up to " + max->ToString();
  return "unknown";
}

}  // namespace firstword::dialect
