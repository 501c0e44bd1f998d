#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace firstword::net {

// The bytes a connection has still to send, in order. Sends at once what the socket takes and
// copies only the rest, so that the usual write is one system call and no allocation. The
// owner writes what is left, piece by piece. Private to net.
class Outbox {
 public:
  static constexpr std::size_t kMaxPieces = 3;

  // At most kMaxPieces. `fd` is a socket to send to directly, or -1 to keep everything (TLS).
  // False when the socket is broken.
  [[nodiscard]] bool Send(int fd, std::span<const std::string_view> pieces);

  [[nodiscard]] std::size_t unsent_bytes() const {
    return in_flight_.size() - taken_ + queued_.size();
  }
  // What to write next, while anything is unsent; stays where it is until Took().
  [[nodiscard]] std::string_view Next();
  void Took(std::size_t bytes);

 private:
  std::string in_flight_;
  std::size_t taken_ = 0;  // of in_flight_
  std::string queued_;     // behind it
};

}  // namespace firstword::net
