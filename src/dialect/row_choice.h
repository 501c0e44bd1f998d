#pragma once

#include <vector>

#include "dialect/alternative_rows.h"
#include "dialect/canonical_names.h"
#include "dialect/canonical_source.h"

namespace firstword::dialect {

// What one alternative gave on a page, in order of precedence among others.
struct Offer {
  const Dialect* dialect = nullptr;
  const Alternative* alternative = nullptr;
  std::vector<AlternativeColumn> columns;
};

struct ChosenColumn {
  CanonicalColumn column;
  bool relayed = false;
};

// Per replica and row the first offer that has any sample wins the whole row, so
// that a histogram's parts never mix and two spellings never add up. Returns the
// wanted series, one for each label set over all offers.
//
// A row without a value is stale where the series ended: its own marker says so,
// or another alternative took over without it.
[[nodiscard]] std::vector<ChosenColumn> ChooseRows(std::vector<Offer> offers,
                                                   const WantedSignal& wanted,
                                                   const std::vector<TimestampMs>& times);

}  // namespace firstword::dialect
