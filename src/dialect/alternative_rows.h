#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/catalog.h"
#include "dialect/part_rows.h"

namespace firstword::dialect {

// One canonical series as one alternative gives it.
struct AlternativeColumn {
  Catalog::Component component = Catalog::Component::kValue;
  PartColumn column;  // labels still without __name__
};

// What one alternative gives on one page.
[[nodiscard]] std::vector<AlternativeColumn> ReadAlternativeRows(const Alternative& alternative,
                                                                 const PartContext& context);

// One raw name an alternative reads.
struct RawName {
  std::string name;
  bool is_bucket = false;
  bool required = false;  // without it (on any page) the alternative gives nothing
};
[[nodiscard]] std::vector<RawName> RawNamesOf(const Alternative& alternative,
                                              std::string_view prefix);

// True when some part is spelled with '~'.
[[nodiscard]] bool UsesPrefix(const Alternative& alternative);

}  // namespace firstword::dialect
