#include "dialect/page_conditions.h"

namespace firstword::dialect {
namespace {

void MarkRows(const Selector& selector, const std::string& prefix, const RawPage& page,
              RowMask& rows) {
  const std::string name = selector.NameUnder(prefix);
  const auto& by_name = page.by_name();
  for (auto at = by_name.lower_bound(name); at != by_name.end(); ++at) {
    const bool fits = selector.is_open() ? at->first.starts_with(name) : at->first == name;
    if (!fits) break;
    for (const RawSeries* series : at->second) {
      if (!promql::MatchesAll(selector.matchers, *series->labels)) continue;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (promql::IsSample(series->values[i])) rows[i] = true;
      }
    }
  }
}

}  // namespace

RowMask RowsWith(const Selector& selector, std::span<const std::string> prefixes,
                 const RawPage& page) {
  RowMask rows(page.times()->size(), false);
  if (!selector.uses_prefix()) {
    MarkRows(selector, "", page, rows);
    return rows;
  }
  for (const std::string& prefix : prefixes) MarkRows(selector, prefix, page, rows);
  return rows;
}

RowMask RowsAllowedBy(const Dialect& dialect, const RawPage& page) {
  RowMask rows(page.times()->size(), false);
  for (const Selector& selector : dialect.detect_unless) {
    const RowMask found = RowsWith(selector, dialect.prefixes, page);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = rows[i] || found[i];
  }
  rows.flip();
  return rows;
}

}  // namespace firstword::dialect
