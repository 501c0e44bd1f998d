#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "exposition/lexer.h"
#include "exposition/page.h"

namespace firstword::exposition {

// The families a page declares, and which one a sample belongs to.
class FamilyTable {
 public:
  // Takes in a metadata line; returns what is wrong with it, "" when nothing is.
  std::string Add(const MetadataLine& metadata, std::uint32_t line);

  // By the sample's name, or by it without a type's suffix (_bucket, _total, ...).
  [[nodiscard]] std::uint32_t Find(std::string_view sample_name);

  [[nodiscard]] std::vector<Family> Take() { return std::move(families_); }

 private:
  std::vector<Family> families_;
  std::vector<std::uint8_t> seen_;  // which metadata a family has had, a bit a kind
  std::unordered_map<std::string_view, std::uint32_t> by_name_;
  // Samples of one family follow each other: the last answer is usually the next.
  std::string_view last_name_;
  std::uint32_t last_ = kNoFamily;
};

}  // namespace firstword::exposition
