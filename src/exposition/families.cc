#include "exposition/families.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace firstword::exposition {
namespace {

using Kind = MetadataLine::Kind;

struct TypeWord {
  std::string_view word;
  FamilyType type;
  bool text;  // stands in the text format
  bool open_metrics;
};

constexpr TypeWord kTypeWords[] = {
    {"counter", FamilyType::kCounter, true, true},
    {"gauge", FamilyType::kGauge, true, true},
    {"histogram", FamilyType::kHistogram, true, true},
    {"summary", FamilyType::kSummary, true, true},
    {"untyped", FamilyType::kUnknown, true, false},
    {"unknown", FamilyType::kUnknown, false, true},
    {"gaugehistogram", FamilyType::kGaugeHistogram, false, true},
    {"info", FamilyType::kInfo, false, true},
    {"stateset", FamilyType::kStateSet, false, true},
};

constexpr unsigned Bit(FamilyType type) { return 1u << static_cast<unsigned>(type); }

struct Suffix {
  std::string_view text;
  unsigned types;  // that use it, a Bit() each
};

constexpr Suffix kSuffixes[] = {
    {"_bucket", Bit(FamilyType::kHistogram) | Bit(FamilyType::kGaugeHistogram)},
    {"_count", Bit(FamilyType::kHistogram) | Bit(FamilyType::kSummary)},
    {"_sum", Bit(FamilyType::kHistogram) | Bit(FamilyType::kSummary)},
    {"_gcount", Bit(FamilyType::kGaugeHistogram)},
    {"_gsum", Bit(FamilyType::kGaugeHistogram)},
    {"_total", Bit(FamilyType::kCounter)},
    {"_created",
     Bit(FamilyType::kCounter) | Bit(FamilyType::kHistogram) | Bit(FamilyType::kSummary)},
    {"_info", Bit(FamilyType::kInfo)},
};

std::string_view KeywordOf(Kind kind) {
  if (kind == Kind::kType) return "TYPE";
  return kind == Kind::kHelp ? "HELP" : "UNIT";
}

}  // namespace

std::string FamilyTable::Add(const MetadataLine& metadata, std::uint32_t line) {
  const auto [at, added] =
      by_name_.try_emplace(metadata.name, static_cast<std::uint32_t>(families_.size()));
  const std::uint32_t index = at->second;
  if (added) {
    families_.push_back({.name = metadata.name, .help = {}, .unit = {}, .line = line});
    seen_.push_back(0);
    type_lines_.push_back(0);
  }
  Family& family = families_[index];
  const auto bit = static_cast<std::uint8_t>(1u << static_cast<unsigned>(metadata.kind));
  if ((seen_[index] & bit) != 0) {
    return fmt::format("second # {} of {}, which is declared since line {}; the first one counts",
                       KeywordOf(metadata.kind), metadata.name, family.line);
  }
  seen_[index] |= bit;
  if (metadata.kind == Kind::kType) {
    type_lines_[index] = line;
    return SetType(metadata.text, &family);
  }
  if (metadata.kind == Kind::kUnit) return SetUnit(metadata.text, &family);
  family.help = metadata.text;
  return {};
}

std::string FamilyTable::SetType(std::string_view word, Family* family) const {
  const auto* const known = std::find_if(std::begin(kTypeWords), std::end(kTypeWords),
                                         [&](const TypeWord& type) { return type.word == word; });
  if (known == std::end(kTypeWords)) {
    return fmt::format("unknown metric type \"{}\"; {} is taken as untyped", word.substr(0, 40),
                       family->name);
  }
  family->type = known->type;
  if (!strict_ || (open_metrics_ ? known->open_metrics : known->text)) return {};
  return open_metrics_
             ? "OpenMetrics has no type \"untyped\"; write \"unknown\""
             : fmt::format("the text format has no type \"{}\"; Prometheus rejects the page", word);
}

std::string FamilyTable::SetUnit(std::string_view unit, Family* family) const {
  family->unit = unit;
  const bool in_name = family->name.size() > unit.size() + 1 && family->name.ends_with(unit) &&
                       family->name[family->name.size() - unit.size() - 1] == '_';
  if (!strict_ || unit.empty() || in_name) return {};
  return fmt::format("the name of a family with unit {0} must end in _{0}", unit);
}

void FamilyTable::Adopt(std::span<Series> series) {
  // Samples of one name follow each other.
  std::string_view last_name;
  std::uint32_t last = kNoFamily;
  for (Series& one : series) {
    if (one.name != last_name) {
      last_name = one.name;
      last = Find(one.name);
    }
    one.family = last;
    if (last != kNoFamily) families_[last].line = std::min(families_[last].line, one.line);
  }
}

std::uint32_t FamilyTable::Find(std::string_view sample_name) const {
  if (const auto at = by_name_.find(sample_name); at != by_name_.end()) return at->second;
  for (const Suffix& suffix : kSuffixes) {
    if (!sample_name.ends_with(suffix.text)) continue;
    sample_name.remove_suffix(suffix.text.size());
    const auto at = by_name_.find(sample_name);
    if (at == by_name_.end()) return kNoFamily;
    return (suffix.types & Bit(families_[at->second].type)) != 0 ? at->second : kNoFamily;
  }
  return kNoFamily;
}

}  // namespace firstword::exposition
