#pragma once

#include <string_view>
#include <vector>

#include "signals/replica_rows.h"

namespace firstword::signals {

// An XID error the rows prove: the last-XID gauge took another value, or appeared. The
// gauge keeps its value for ever, so standing still proves nothing.
struct XidEvent {
  promql::Labels gpu;
  int code = 0;
  TimestampMs after = 0;  // the last row without it
  TimestampMs time = 0;   // the first row with it
};
// In time order. Counters by code (gpu:xid_errors_total) count as well.
[[nodiscard]] std::vector<XidEvent> XidEvents(const ReplicaRows& rows);

// What NVIDIA's catalogue makes of a code.
struct XidMeaning {
  int code;
  std::string_view what;    // "GPU memory page fault"
  std::string_view kind;    // "application", "memory hardware", "link", ...
  std::string_view advice;  // what to do, an imperative
  bool hardware;            // the card or the node, not the program
};
[[nodiscard]] XidMeaning MeaningOfXid(int code);

}  // namespace firstword::signals
