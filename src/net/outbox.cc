#include "net/outbox.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/check.h"

namespace firstword::net {

namespace {

// Beyond this an emptied buffer gives its memory back: one slow moment of each of thousands
// of streams must not stay in memory for as long as they live.
constexpr std::size_t kKeptBytes = 16u << 10;

// How much the socket took; -1 when it is broken.
ssize_t SendNow(int fd, std::span<const std::string_view> pieces) {
  std::array<iovec, Outbox::kMaxPieces> vectors;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    vectors[i] = {const_cast<char*>(pieces[i].data()), pieces[i].size()};
  }
  msghdr message{};
  message.msg_iov = vectors.data();
  message.msg_iovlen = pieces.size();
  ssize_t sent = 0;
  do {
    sent = ::sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  } while (sent < 0 && errno == EINTR);
  if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS)) return 0;
  return sent;
}

void Empty(std::string& buffer) {
  buffer.clear();
  if (buffer.capacity() > kKeptBytes) buffer.shrink_to_fit();
}

}  // namespace

bool Outbox::Send(int fd, std::span<const std::string_view> pieces) {
  CHECK(pieces.size() <= kMaxPieces);
  std::size_t sent = 0;
  if (fd >= 0 && unsent_bytes() == 0) {
    const ssize_t taken = SendNow(fd, pieces);
    if (taken < 0) return false;
    sent = static_cast<std::size_t>(taken);
  }
  for (const std::string_view piece : pieces) {
    const std::size_t skipped = std::min(sent, piece.size());
    sent -= skipped;
    queued_.append(piece.substr(skipped));
  }
  return true;
}

std::string_view Outbox::Next() {
  if (taken_ == in_flight_.size()) {
    Empty(in_flight_);
    taken_ = 0;
    in_flight_.swap(queued_);
  }
  return std::string_view(in_flight_).substr(taken_);
}

void Outbox::Took(std::size_t bytes) {
  taken_ += bytes;
  if (unsent_bytes() > 0) return;
  Empty(in_flight_);
  Empty(queued_);
  taken_ = 0;
}

}  // namespace firstword::net
