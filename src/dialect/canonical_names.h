#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "dialect/catalog.h"
#include "promql/matcher.h"

namespace firstword::dialect {

// A signal that a selection asks for, and which of its series.
struct WantedSignal {
  const SignalDef* signal = nullptr;
  std::array<bool, 4> components = {};  // by Catalog::Component

  [[nodiscard]] bool Has(Catalog::Component component) const {
    return components[static_cast<std::size_t>(component)];
  }
};

// The catalog's signals that matchers on the metric name ask for. nullopt when the
// matchers do not name canonical series: an equality, or a regular expression of
// which every branch begins with a family's name and colon.
[[nodiscard]] std::optional<std::vector<WantedSignal>> WantedSignals(
    std::span<const promql::Matcher> matchers, const Catalog& catalog);

}  // namespace firstword::dialect
