#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "exposition/fault_list.h"
#include "exposition/page.h"

namespace firstword::exposition {

// A page that was read, with its text.
struct ReadPage {
  std::string_view text;
  Format format;
  const Page& page;
  std::span<const std::uint32_t> type_lines;  // of each family's TYPE line; 0: none

  // A fault of `series` where `part` of it stands, or at its name if that is not in the
  // text (it was unescaped).
  [[nodiscard]] Fault FaultOf(const Series& series, std::string_view part,
                              std::string message) const;
};

// Adds what only the whole page shows: sample names that do not fit their family's type,
// TYPE lines behind the samples, families that interleave, and all of CheckHistograms().
void CheckStrictly(const ReadPage& read, FaultList* faults);

// Buckets without a readable or canonical `le`, out of order, or that fall; histograms
// that end before +Inf.
void CheckHistograms(const ReadPage& read, FaultList* faults);

}  // namespace firstword::exposition
