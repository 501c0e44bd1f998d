#pragma once

#include <string>
#include <string_view>

#include "dialect/dialect.h"
#include "promql/labels.h"

namespace firstword::dialect {

// A raw series seen through the label rules.
struct MappedLabels {
  promql::Labels labels;  // canonical, without __name__
  // Series of equal labels are parts of one value where this differs, else copies.
  std::string share;
  bool relayed = false;  // the instance is the page's word, not the scraper's
};

// Applies the rules of the dialect and the part to the labels of one raw series.
// `target` is what the scraper knows about the page, or null where the source
// cannot tell; then job, instance and every X beside an exported_X count as the
// scraper's. A bucket's `le` is left out: the caller rescales it.
[[nodiscard]] MappedLabels MapLabels(const promql::Labels& raw, const promql::Labels* target,
                                     const Dialect& dialect, const Part& part,
                                     const SignalDef& signal, bool is_bucket);

// "10.0.0.7:30000" out of "http_//10.0.0.7_30000" or "http://10.0.0.7:30000/".
[[nodiscard]] std::string AddressOf(std::string_view text);

}  // namespace firstword::dialect
