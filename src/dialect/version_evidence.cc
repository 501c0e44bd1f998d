#include "dialect/version_evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace firstword::dialect {
namespace {

// One bound and the raw series that speaks for it.
struct Witness {
  Version version;
  std::string series;
};

struct Witnesses {
  std::vector<Witness> since;
  std::vector<Witness> until;

  void Add(const VersionRange& range, std::string_view series) {
    if (range.min) since.push_back({*range.min, std::string(series)});
    if (range.max) until.push_back({*range.max, std::string(series)});
  }
};

// The raw name under which a part is on the page; a histogram is there when any
// of its three is.
std::optional<std::string> FindPart(const Part& part, bool is_family, std::string_view prefix,
                                    const PageIndex& page) {
  if (!is_family) {
    const auto name = page.FindUnder(part.series, prefix);
    return name ? std::optional(std::string(*name)) : std::nullopt;
  }
  for (const std::string_view suffix : {"_count", "_sum", "_bucket"}) {
    Selector component = part.series;
    component.name += suffix;
    if (const auto name = page.FindUnder(component, prefix)) return std::string(*name);
  }
  return std::nullopt;
}

// The raw name of the first part when all that the alternative needs is there.
std::optional<std::string> FindAlternative(const Alternative& alternative, std::string_view prefix,
                                           const PageIndex& page) {
  if (alternative.guard && !page.FindUnder(*alternative.guard, prefix)) return std::nullopt;
  const bool is_family = alternative.is_histogram && !alternative.parts.empty();
  std::optional<std::string> first;
  bool complete = true;
  const auto look = [&](const Part& part, bool is_required) {
    std::optional<std::string> name = FindPart(part, is_family, prefix, page);
    if (!name) complete = complete && !is_required;
    if (!first) first = std::move(name);
  };
  const bool any_is_enough = alternative.op == Alternative::Op::kUnion;
  for (const Part& part : alternative.parts) look(part, !part.optional && !any_is_enough);
  if (alternative.sum) look(*alternative.sum, false);
  if (alternative.count) look(*alternative.count, false);
  if (!complete) return std::nullopt;
  return first;
}

void AddSources(const Dialect& dialect, const PageIndex& page, Witnesses& witnesses) {
  for (const Mapping& mapping : dialect.signals) {
    for (const Alternative& alternative : mapping.alternatives) {
      if (!alternative.versions.min && !alternative.versions.max) continue;
      for (const std::string& prefix : dialect.prefixes) {
        if (const auto series = FindAlternative(alternative, prefix, page)) {
          witnesses.Add(alternative.versions, *series);
          break;
        }
      }
    }
  }
}

bool ByVersion(const Witness& a, const Witness& b) { return a.version < b.version; }

}  // namespace

VersionEvidence WeighVersions(const Dialect& dialect, const PageIndex& page) {
  Witnesses witnesses;
  for (const VersionHint& hint : dialect.versions) {
    const auto hit = page.Find(hint.present, dialect.prefixes);
    if (hit && page.Holds({}, hint.unless, dialect.prefixes)) {
      witnesses.Add(hint.versions, hit->name);
    }
  }
  AddSources(dialect, page, witnesses);

  VersionEvidence evidence;
  const Witness* newest = nullptr;
  if (!witnesses.since.empty()) {
    newest = &*std::ranges::max_element(witnesses.since, ByVersion);
    evidence.versions.min = newest->version;
    evidence.sentences.push_back(
        fmt::format("{} is there since {}", newest->series, newest->version.ToString()));
  }
  const Witness* oldest = nullptr;
  const Witness* lingering = nullptr;
  for (const Witness& witness : witnesses.until) {
    const bool contradicts = newest != nullptr && witness.version < newest->version;
    const Witness*& slot = contradicts ? lingering : oldest;
    if (slot == nullptr || ByVersion(witness, *slot)) slot = &witness;
  }
  if (oldest != nullptr) {
    evidence.versions.max = oldest->version;
    evidence.sentences.push_back(
        fmt::format("{} is there up to {}", oldest->series, oldest->version.ToString()));
  }
  if (lingering != nullptr) {
    evidence.sentences.push_back(
        fmt::format("{} should have gone after {}, yet {} came with {}: the older name does not "
                    "count",
                    lingering->series, lingering->version.ToString(), newest->series,
                    newest->version.ToString()));
  }
  return evidence;
}

}  // namespace firstword::dialect
