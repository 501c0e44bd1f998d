#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <string_view>
#include <utility>

#include "dialect/exports/exports.h"
#include "yaml/reader.h"

namespace firstword::dialect {

// `since` and `until`.
VersionRange ReadRange(yaml::Fields& fields, yaml::Faults& faults);
// A map of label names to texts.
ExportLabels ReadExportLabels(const yaml::Node& node, std::string_view what, yaml::Faults& faults);
// The lists under one name of `buckets`, or of a family.
Choices<BucketList> ReadBuckets(const yaml::Node& node, std::string_view what,
                                yaml::Faults& faults);
// A quantity's name or a number.
ExportValue ReadExportValue(const yaml::Node& node, yaml::Faults& faults);

// One family; it goes to the families or to those not simulated. `sets` are the bucket lists
// that it may name.
void ReadFamily(const yaml::Node& node, std::span<const BucketSet> sets, Per default_per,
                Export& into, yaml::Faults& faults);

// One answer, a map with `value`, `since` and `until`, or a list of such maps. `read` makes a
// T of the answer's node.
template <typename T, typename Read>
Choices<T> ReadChoices(const yaml::Node& node, std::string_view what, yaml::Faults& faults,
                       Read read) {
  Choices<T> choices;
  for (const yaml::Node& item : yaml::ReadItems(node, what, faults)) {
    if (item.kind != yaml::Node::Kind::kMap) {
      choices.push_back({read(item), {}});
      continue;
    }
    yaml::Fields fields(item, what, {"value", "since", "until"}, faults);
    if (const yaml::Node* value = fields.Require("value")) {
      choices.push_back({read(*value), ReadRange(fields, faults)});
    }
  }
  return choices;
}

}  // namespace firstword::dialect
