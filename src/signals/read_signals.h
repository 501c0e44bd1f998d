#pragma once

#include "signals/replica_rows.h"
#include "signals/value.h"

namespace firstword::signals {

// The figures of one replica from its rows.
[[nodiscard]] ReplicaSignals SignalsOf(const ReplicaRows& rows);

}  // namespace firstword::signals
