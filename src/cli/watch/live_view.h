#pragma once

#include <functional>

#include "cli/options/exit_code.h"
#include "cli/watch/screen.h"
#include "cli/watch/watch_session.h"

namespace firstword::cli {

// Runs the full-screen view until the user quits or `stop` says so.
[[nodiscard]] Result<void> RunLive(WatchSession& session, Screen& screen, bool unicode,
                                   const std::function<bool()>& stop);

}  // namespace firstword::cli
