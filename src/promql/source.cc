#include "promql/source.h"

#include <utility>

namespace firstword::promql {

Result<std::vector<SharedLabels>> Source::Series(const SelectRequest& request) {
  Result<std::vector<ColumnGroup>> groups = Select(request);
  if (!groups) return std::unexpected(groups.error());
  std::vector<SharedLabels> series;
  for (ColumnGroup& group : *groups) {
    for (Column& column : group.columns) series.push_back(std::move(column.labels));
  }
  return series;
}

}  // namespace firstword::promql
