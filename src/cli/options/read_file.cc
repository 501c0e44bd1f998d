#include "cli/options/read_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "cli/text/format.h"

namespace firstword::cli {

Result<std::string> ReadStream(std::istream& in, const std::string& name, std::size_t max_bytes) {
  std::string text;
  char buffer[1 << 16];
  while (in.read(buffer, sizeof(buffer)) || in.gcount() > 0) {
    text.append(buffer, static_cast<std::size_t>(in.gcount()));
    if (text.size() > max_bytes) {
      return Fail(ErrorCode::kLimit,
                  fmt::format("{}: larger than {}", name,
                              FormatValue(static_cast<double>(max_bytes), "bytes")),
                  "--max-body raises the limit");
    }
  }
  if (in.bad()) return Fail(ErrorCode::kIo, name + ": read error");
  return text;
}

Result<std::string> ReadFile(const std::string& path, std::size_t max_bytes) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return Fail(ErrorCode::kIo, path + ": is a directory, not a page");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    const int reason = errno;
    return Fail(reason == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo,
                fmt::format("{}: {}", path, std::strerror(reason)));
  }
  return ReadStream(file, path, max_bytes);
}

}  // namespace firstword::cli
