#pragma once

#include <chrono>
#include <optional>

#include "cli/options/console.h"
#include "net/event_loop.h"
#include "simulate/live/live_fleet.h"

namespace firstword::cli {

struct LiveRunOptions {
  std::optional<std::chrono::milliseconds> duration;  // none: until interrupted
  bool json = false;
  bool quiet = false;  // no lines of progress
};

// Prints where the fleet listens, one line an endpoint that begins with its URL (or one
// JSON object), then lives until the end or an interrupt, with a line of progress on
// console.err now and then. Last its own lag: whether the machine kept up.
void RunOnPorts(simulate::LiveFleet& live, net::EventLoop& loop, const LiveRunOptions& options,
                Console& console);

}  // namespace firstword::cli
