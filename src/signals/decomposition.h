#pragma once

#include <optional>
#include <string>

#include "signals/value.h"

namespace firstword::signals {

// Mean TTFT and what it is made of, in seconds: frontend gap + queue + prefill. The
// gap (tokenizer, frontend, IPC) is what the other two leave over.
struct TtftDecomposition {
  std::optional<double> ttft;
  std::optional<double> queue;
  std::optional<double> prefill;
  std::optional<double> gap;  // nullopt unless the other three are known
  // The parts cover other requests than TTFT does (finished ones only), by more than
  // 1 %: the gap is then a bound at best, and may come out negative.
  bool mixed_populations = false;
  double ttft_count = 0;
  double parts_count = 0;
  bool lifetime = false;  // since the engine's start, not of a window

  // "queue", "prefill", "frontend" or "" when unknown: the largest part, and its share.
  std::string largest;
  double largest_share = 0;
};

[[nodiscard]] TtftDecomposition DecomposeTtft(const ReplicaSignals& signals);

}  // namespace firstword::signals
