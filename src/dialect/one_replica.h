#pragma once

#include <cstddef>
#include <vector>

#include "dialect/raw_pages.h"
#include "dialect/row_choice.h"

namespace firstword::dialect {

// The series of one signal on one page.
struct PageColumns {
  const RawPage* page = nullptr;
  std::vector<ChosenColumn> columns;
};

// Two jobs that scrape one instance are one replica: keeps the series of the page
// that speaks for it, its own before one that a gateway relays, then the first job
// by name. Where the source cannot tell target labels, only series that differ in
// nothing but the job count as the same.
void KeepOnePagePerReplica(std::vector<PageColumns>& pages);

}  // namespace firstword::dialect
