#include "cli/options/read_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cli/text/format.h"

namespace firstword::cli {
namespace {

constexpr int kLongestSilenceMs = 10'000;

std::unexpected<Error> TooLarge(const std::string& name, std::size_t max_bytes) {
  return Fail(ErrorCode::kLimit, fmt::format("{}: larger than {}", name,
                                             FormatValue(static_cast<double>(max_bytes), "bytes")));
}

std::unexpected<Error> SystemError(const std::string& path, int reason) {
  return Fail(reason == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo,
              fmt::format("{}: {}", path, std::strerror(reason)));
}

class Descriptor {
 public:
  // Not blocking: opening a named pipe would wait for a writer that may never come.
  explicit Descriptor(const std::string& path)
      : fd_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

Result<std::string> ReadStream(std::istream& in, const std::string& name, std::size_t max_bytes) {
  std::string text;
  char buffer[1 << 16];
  while (in.read(buffer, sizeof(buffer)) || in.gcount() > 0) {
    text.append(buffer, static_cast<std::size_t>(in.gcount()));
    if (text.size() > max_bytes) return TooLarge(name, max_bytes);
  }
  if (in.bad()) return Fail(ErrorCode::kIo, name + ": read error");
  return text;
}

Result<std::string> ReadFile(const std::string& path, std::size_t max_bytes) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return Fail(ErrorCode::kIo, path + ": is a directory, not a file");
  }
  const Descriptor file(path);
  if (file.get() < 0) return SystemError(path, errno);
  std::string text;
  char buffer[1 << 16];
  while (true) {
    pollfd readable{file.get(), POLLIN, 0};
    const int ready = ::poll(&readable, 1, kLongestSilenceMs);
    if (ready == 0) {
      return Fail(ErrorCode::kTimeout, fmt::format("{}: nothing came for 10 s", path),
                  "it is a pipe that nobody writes to");
    }
    const ssize_t got = ::read(file.get(), buffer, sizeof(buffer));
    if (got == 0) return text;
    if (got < 0 && errno != EAGAIN && errno != EINTR) return SystemError(path, errno);
    if (got > 0) text.append(buffer, static_cast<std::size_t>(got));
    if (text.size() > max_bytes) return TooLarge(path, max_bytes);
  }
}

}  // namespace firstword::cli
