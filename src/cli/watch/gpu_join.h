#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/watch/fleet_view.h"

namespace firstword::cli {

// "10.0.0.7" of "10.0.0.7:8000", "fe80::1" of "[fe80::1]:80".
[[nodiscard]] std::string_view HostOf(std::string_view authority);

// Puts the figures of GPU pages beside the replicas of the same host. With one GPU page
// only, it is everyone's: that is how a single machine behind several names looks.
void JoinGpus(std::span<FleetRow> replicas, std::span<const FleetRow> gpu_pages);

}  // namespace firstword::cli
