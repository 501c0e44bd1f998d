#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "signals/page_view.h"

namespace firstword::signals {

// Does an engine that claims to hold requests do anything? A stuck engine and one whose
// gauges were left behind by aborted requests look alike on their own page: requests
// held, counters flat. Only what others say (HTTP requests in flight, arrivals, GPUs)
// tells them apart.
enum class Progress : std::uint8_t {
  kFine,     // counters move, nothing is held, or the window is too short to say
  kStuck,    // requests wait for an engine that does nothing
  kFrozen,   // the gauges are left-overs; the engine is idle
  kUnclear,  // one of the two; nothing on the pages decides
};

struct ProgressVerdict {
  Progress progress = Progress::kFine;
  double seconds = 0;  // since anything moved
  double running = 0;
  double waiting = 0;
  std::string evidence;  // half a sentence, "waiting grew from 0 to 34"
};

// `gpus`: pages of the GPUs this replica runs on, empty when unknown.
[[nodiscard]] ProgressVerdict JudgeProgress(const PageView& page, const ReplicaRows& rows,
                                            std::span<const PageView* const> gpus);

}  // namespace firstword::signals
