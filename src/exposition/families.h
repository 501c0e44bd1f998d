#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "exposition/lexer.h"
#include "exposition/page.h"

namespace firstword::exposition {

// The families a page declares, and which one a sample belongs to.
class FamilyTable {
 public:
  FamilyTable(Format format, Mode mode)
      : open_metrics_(format == Format::kOpenMetrics), strict_(mode == Mode::kStrict) {}

  // Takes in a metadata line; returns what is wrong with it, "" when nothing is.
  std::string Add(const MetadataLine& metadata, std::uint32_t line);

  // Gives each series its family, whether declared before or behind it: the one of the
  // sample's name, or of the name without a suffix that the family's type uses.
  void Adopt(std::span<Series> series);

  [[nodiscard]] std::size_t size() const { return families_.size(); }
  // 1-based; 0 when the family has no TYPE line.
  [[nodiscard]] std::span<const std::uint32_t> type_lines() const { return type_lines_; }
  [[nodiscard]] std::vector<Family> Take() { return std::move(families_); }

 private:
  [[nodiscard]] std::uint32_t Find(std::string_view sample_name) const;
  // Each returns what is wrong, "" when nothing is.
  std::string SetType(std::string_view word, Family* family) const;
  std::string SetUnit(std::string_view unit, Family* family) const;

  const bool open_metrics_;
  const bool strict_;
  std::vector<Family> families_;
  std::vector<std::uint8_t> seen_;  // which metadata a family has had, a bit a kind
  std::vector<std::uint32_t> type_lines_;
  std::unordered_map<std::string_view, std::uint32_t> by_name_;
};

}  // namespace firstword::exposition
