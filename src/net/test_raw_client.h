#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "net/event_loop.h"

// A client for tests that sends and sees plain bytes.

namespace firstword::net {

class RawClient {
 public:
  // A small `receive_buffer`, when not 0, lets the server's socket fill up soon.
  explicit RawClient(std::uint16_t port, int receive_buffer = 0)
      : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    if (receive_buffer != 0) {
      ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof(receive_buffer));
    }
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  }
  ~RawClient() { HangUp(); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  void Send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  // Everything until the server ends the connection.
  [[nodiscard]] std::string ReadAll() const {
    std::string all;
    char piece[4096];
    for (ssize_t got = 0; (got = ::recv(fd_, piece, sizeof(piece), 0)) > 0;) {
      all.append(piece, static_cast<std::size_t>(got));
    }
    return all;
  }
  // Everything that came so far, without waiting. Fills ended() and reset().
  const std::string& Pull() {
    char piece[65536];
    ssize_t got = 0;
    while ((got = ::recv(fd_, piece, sizeof(piece), MSG_DONTWAIT)) > 0) {
      seen_.append(piece, static_cast<std::size_t>(got));
    }
    if (got == 0) ended_ = true;
    if (got < 0 && errno == ECONNRESET) ended_ = reset_ = true;
    return seen_;
  }
  [[nodiscard]] bool ended() const { return ended_; }
  [[nodiscard]] bool reset() const { return reset_; }
  void EndSending() const { ::shutdown(fd_, SHUT_WR); }
  void HangUp() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  // Makes HangUp() a reset.
  void ResetAtHangUp() const {
    const linger at_once{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
  }

 private:
  int fd_;
  std::string seen_;
  bool ended_ = false;
  bool reset_ = false;
};

// Lets the loop work until `done`; false when that takes forever.
[[nodiscard]] inline bool RunUntil(EventLoop& loop, const std::function<bool()>& done) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  for (int turns = 0; !done(); ++turns) {
    if (std::chrono::steady_clock::now() > limit) return false;
    // Mostly it is a matter of a few turns; RunFor() takes its time even when all is done.
    if (turns < 5) {
      loop.Post([&] { loop.Stop(); });
      loop.Run();
    } else {
      loop.RunFor(std::chrono::milliseconds(1));
    }
  }
  return true;
}

}  // namespace firstword::net
