#pragma once

#include <functional>

#include "cli/exit_code.h"
#include "cli/screen.h"
#include "cli/watch_session.h"

namespace firstword::cli {

// Runs the full-screen view until the user quits or `stop` says so.
[[nodiscard]] Result<void> RunLive(WatchSession& session, Screen& screen, bool unicode,
                                   const std::function<bool()>& stop);

}  // namespace firstword::cli
