#include "exposition/families.h"

#include <fmt/format.h>

#include <optional>

namespace firstword::exposition {
namespace {

std::optional<FamilyType> TypeFromWord(std::string_view word) {
  for (int i = 0; i <= static_cast<int>(FamilyType::kStateSet); ++i) {
    if (FamilyTypeName(static_cast<FamilyType>(i)) == word) return static_cast<FamilyType>(i);
  }
  if (word == "untyped") return FamilyType::kUnknown;
  return std::nullopt;
}

constexpr std::string_view kSuffixes[] = {"_bucket",  "_count", "_sum",    "_total",
                                          "_created", "_info",  "_gcount", "_gsum"};

}  // namespace

std::string FamilyTable::Add(const MetadataLine& metadata, std::uint32_t line) {
  using Kind = MetadataLine::Kind;
  if (metadata.kind == Kind::kComment || metadata.kind == Kind::kEof) return {};
  const auto [at, added] =
      by_name_.try_emplace(metadata.name, static_cast<std::uint32_t>(families_.size()));
  if (added) {
    families_.push_back({.name = metadata.name, .help = {}, .unit = {}, .line = line});
    seen_.push_back(0);
    last_ = kNoFamily;
  }
  last_name_ = {};
  Family& family = families_[at->second];
  const auto bit = static_cast<std::uint8_t>(1u << static_cast<unsigned>(metadata.kind));
  const bool again = (seen_[at->second] & bit) != 0;
  seen_[at->second] |= bit;
  if (again) {
    return fmt::format("second # {} for {}, first on line {}",
                       metadata.kind == Kind::kType   ? "TYPE"
                       : metadata.kind == Kind::kHelp ? "HELP"
                                                      : "UNIT",
                       metadata.name, family.line);
  }
  if (metadata.kind == Kind::kHelp) family.help = metadata.text;
  if (metadata.kind == Kind::kUnit) family.unit = metadata.text;
  if (metadata.kind == Kind::kType) {
    const std::string_view word =
        metadata.text.substr(0, metadata.text.find_last_not_of(" \t") + 1);
    const std::optional<FamilyType> type = TypeFromWord(word);
    if (!type) return fmt::format("unknown metric type \"{}\"", word.substr(0, 40));
    family.type = *type;
  }
  return {};
}

std::uint32_t FamilyTable::Find(std::string_view sample_name) {
  if (sample_name == last_name_) return last_;
  last_name_ = sample_name;
  last_ = kNoFamily;
  auto at = by_name_.find(sample_name);
  for (const std::string_view suffix : kSuffixes) {
    if (at != by_name_.end()) break;
    if (sample_name.ends_with(suffix)) {
      at = by_name_.find(sample_name.substr(0, sample_name.size() - suffix.size()));
    }
  }
  if (at != by_name_.end()) last_ = at->second;
  return last_;
}

}  // namespace firstword::exposition
