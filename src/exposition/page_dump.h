#pragma once

#include <string>

#include "exposition/page.h"

namespace firstword::exposition {

// A page as text, for golden tests: families, series with values, faults, one a line.
[[nodiscard]] std::string DumpPage(const Page& page);

}  // namespace firstword::exposition
