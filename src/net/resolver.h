#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace firstword::net {

// A resolved address: the bytes of a sockaddr_in or sockaddr_in6.
struct SocketAddress {
  std::vector<std::uint8_t> bytes;
  int family = 0;
};

// Looks host names up on four threads of its own: getaddrinfo() blocks, and with one
// thread (as Asio has) a dead name would delay every other target. Keeps the last good
// answer of a name and gives it when a later look-up fails.
class ResolverPool {
 public:
  ResolverPool();
  ~ResolverPool();

  using Callback = std::move_only_function<void(Result<std::vector<SocketAddress>>)>;
  // `done` is called on a resolver thread, or never when the pool ends before.
  void Resolve(std::string host, std::uint16_t port, Callback done);

 private:
  struct State;
  // Shared with the threads: one of them may hang in getaddrinfo() long after the pool
  // is gone, and nothing can call it back.
  std::shared_ptr<State> state_;
};

}  // namespace firstword::net
