#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/dialect.h"
#include "yaml/reader.h"

namespace firstword::dialect {

// What the readers of one dialect file share.
struct DialectContext {
  const Catalog& catalog;
  bool has_prefixes = false;
  yaml::Faults& faults;
};

// Conditions may end in '*', sources may not.
enum class SelectorUse : std::uint8_t { kSource, kCondition };
Selector ReadSelector(const yaml::Node& node, SelectorUse use, const DialectContext& context);
// The selectors under `key`: one, or a list; none when the key is absent.
std::vector<Selector> ReadConditions(const yaml::Fields& fields, std::string_view key,
                                     const DialectContext& context);

// `since` and `until`.
VersionRange ReadVersions(yaml::Fields& fields, const DialectContext& context);

// A map of label rules. Their `to` must be one of `known`.
LabelRules ReadLabelRules(const yaml::Node& node, std::span<const std::string_view> known,
                          const DialectContext& context);

// The signal of that name; null and a fault when the catalog has none.
const SignalDef* ReadSignalName(const yaml::Node& node, const DialectContext& context);

}  // namespace firstword::dialect
