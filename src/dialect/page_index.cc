#include "dialect/page_index.h"

#include <algorithm>

namespace firstword::dialect {

PageIndex::PageIndex(std::span<const promql::SharedLabels> series) {
  for (const promql::SharedLabels& labels : series) {
    by_name_[labels->metric_name()].push_back(labels.get());
  }
}

std::optional<std::string_view> PageIndex::FindUnder(const Selector& selector,
                                                     std::string_view prefix) const {
  const std::string name = selector.NameUnder(prefix);
  for (auto at = by_name_.lower_bound(name); at != by_name_.end(); ++at) {
    const bool fits = selector.is_open() ? at->first.starts_with(name) : at->first == name;
    if (!fits) break;
    const bool matches = std::ranges::any_of(at->second, [&](const promql::Labels* labels) {
      return promql::MatchesAll(selector.matchers, *labels);
    });
    if (matches) return at->first;
  }
  return std::nullopt;
}

std::optional<PageIndex::Hit> PageIndex::Find(const Selector& selector,
                                              std::span<const std::string> prefixes) const {
  if (!selector.uses_prefix()) {
    const std::optional<std::string_view> name = FindUnder(selector, "");
    if (!name) return std::nullopt;
    return Hit{*name, ""};
  }
  for (const std::string& prefix : prefixes) {
    if (const std::optional<std::string_view> name = FindUnder(selector, prefix)) {
      return Hit{*name, prefix};
    }
  }
  return std::nullopt;
}

bool PageIndex::Holds(std::span<const Selector> when, std::span<const Selector> unless,
                      std::span<const std::string> prefixes) const {
  const auto present = [&](const Selector& selector) {
    return Find(selector, prefixes).has_value();
  };
  return std::ranges::all_of(when, present) && std::ranges::none_of(unless, present);
}

}  // namespace firstword::dialect
