#pragma once

#include <cstdint>
#include <string>

#include "exposition/page.h"

namespace firstword::exposition {

enum class DumpLines : std::uint8_t { kNo, kYes };

// A page as text, for tests: families, series with values, faults, one a line; with the
// line numbers of families and series if asked for.
[[nodiscard]] std::string DumpPage(const Page& page, DumpLines lines = DumpLines::kNo);

}  // namespace firstword::exposition
