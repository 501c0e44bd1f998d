#pragma once

namespace firstword::cli {

// The one table of exit codes; docs/exit-codes.md says what each command means by them.
enum class ExitCode : int {
  kGood = 0,
  kFinding = 1,
  kCannotTell = 2,
  kUsageOrIo = 3,
};

}  // namespace firstword::cli
