#pragma once

#include <functional>
#include <string_view>

#include "exposition/page.h"

namespace firstword::exposition {

// What only the whole page shows: sample names that do not fit their family's type,
// families that interleave, `le` that is not canonical, histograms whose buckets fall
// or end before +Inf.
void CheckStrictly(const Page& page, Format format,
                   const std::function<void(const Series&, std::string_view)>& report);

}  // namespace firstword::exposition
