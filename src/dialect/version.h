#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace firstword::dialect {

// An engine's release number: "0.9.2", "0.4.3.post3", "25.03", "0.20.2rc1".
// Compared part by part; a missing part is 0; rcN sorts before the release and
// postN after it.
class Version {
 public:
  [[nodiscard]] static std::optional<Version> Parse(std::string_view text);
  [[nodiscard]] const std::string& ToString() const { return text_; }

  friend std::strong_ordering operator<=>(const Version& a, const Version& b);
  friend bool operator==(const Version& a, const Version& b) { return (a <=> b) == 0; }

 private:
  std::string text_;
  std::vector<int> parts_;
  int stage_ = 0;  // rc: negative, post: positive
};

// Both ends included and optional.
struct VersionRange {
  std::optional<Version> min;
  std::optional<Version> max;

  [[nodiscard]] bool Overlaps(const VersionRange& other) const;
  // "0.9.2 to 0.11.0", "0.30.0 or later", "up to 0.8.5", "unknown".
  [[nodiscard]] std::string ToString() const;
};

}  // namespace firstword::dialect
