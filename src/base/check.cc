#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace firstword::internal {

void CheckFailed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "firstword: internal error: CHECK(%s) failed at %s:%d\n", expression, file,
               line);
  std::abort();
}

}  // namespace firstword::internal
