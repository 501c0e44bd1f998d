#pragma once

#include <cstddef>
#include <string>

#include "cli/text/paint.h"
#include "signals/value.h"

namespace firstword::cli {

// The signals of one replica as tables: what is so now (gauges), how long things took and
// how large they were (histograms), what was counted. `by_gpu` leaves out the values of
// single GPUs, which have a table of their own.
[[nodiscard]] std::string SignalTables(const signals::ReplicaSignals& replica, const Paint& paint,
                                       std::size_t width, bool by_gpu);

// One row a GPU; empty for pages without GPUs.
[[nodiscard]] std::string GpuTable(const signals::ReplicaSignals& page, const Paint& paint,
                                   std::size_t width);

}  // namespace firstword::cli
