#pragma once

namespace firstword::cli {

// From here on SIGINT, SIGTERM and SIGHUP only set a flag, so that a command can end in
// good order (and give the terminal back). A second one within the same run is final.
void CatchInterrupts();
[[nodiscard]] bool Interrupted();

}  // namespace firstword::cli
