#pragma once

#include <string>
#include <string_view>

namespace firstword::cli {

enum class Ink { kPlain, kBold, kDim, kGood, kWarn, kBad };

// Colours text for a terminal, or leaves it alone. Colour never carries a meaning that
// the words do not.
class Paint {
 public:
  explicit Paint(bool color) : color_(color) {}

  [[nodiscard]] std::string operator()(Ink ink, std::string_view text) const;

 private:
  bool color_;
};

}  // namespace firstword::cli
