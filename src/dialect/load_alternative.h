#pragma once

#include <span>
#include <string_view>

#include "dialect/dialect.h"
#include "dialect/dialect_fields.h"

namespace firstword::dialect {

// Which requests a histogram covers: the words of `population`.
[[nodiscard]] std::span<const std::string_view> PopulationWords();

// One element of a signal's list of alternatives.
Alternative ReadAlternative(const yaml::Node& node, const SignalDef& signal,
                            const DialectContext& context);

}  // namespace firstword::dialect
