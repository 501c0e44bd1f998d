#pragma once

namespace firstword::internal {

[[noreturn]] void CheckFailed(const char* expression, const char* file, int line);

}  // namespace firstword::internal

// Stops the process on a programmer's error. Never on anything that comes from
// a user, a file, the network or a clock: those return Result.
#define CHECK(condition) \
  ((condition) ? (void)0 : ::firstword::internal::CheckFailed(#condition, __FILE__, __LINE__))
