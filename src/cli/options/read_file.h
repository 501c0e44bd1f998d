#pragma once

#include <cstddef>
#include <istream>
#include <string>

#include "base/result.h"

namespace firstword::cli {

// The whole file (or named pipe), at most `max_bytes`: kLimit beyond. A pipe into which
// nobody writes for ten seconds is kTimeout.
[[nodiscard]] Result<std::string> ReadFile(const std::string& path, std::size_t max_bytes);
// The rest of a stream; `name` is for the message.
[[nodiscard]] Result<std::string> ReadStream(std::istream& in, const std::string& name,
                                             std::size_t max_bytes);

}  // namespace firstword::cli
