#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace firstword::net {

// A resolved address: the bytes of a sockaddr_in or sockaddr_in6.
using SocketAddress = std::vector<std::uint8_t>;
using SocketAddresses = std::vector<SocketAddress>;

// Looks host names up on four threads of its own: getaddrinfo() blocks, and with one
// thread (as Asio has) a dead name would delay every other target. A name is looked up
// once at a time, however many ask for it. Keeps the last good answer of a name and gives
// it when a later look-up fails, or still hangs while the next caller asks.
class ResolverPool {
 public:
  // Looks one name up and may block; port 0 in the answers. Tests give their own.
  using LookUp = std::function<Result<SocketAddresses>(const std::string& host)>;
  using Callback = std::move_only_function<void(Result<SocketAddresses>)>;

  ResolverPool();
  explicit ResolverPool(LookUp look_up);  // called on several threads at once
  ~ResolverPool();

  // `done` is called on a resolver thread, or on this one when the answer is known (an IP
  // address, a name whose look-up hangs), or never when the pool ends before.
  void Resolve(const std::string& host, std::uint16_t port, Callback done);

 private:
  struct State;
  // Shared with the threads: one of them may hang in getaddrinfo() long after the pool
  // is gone, and nothing can call it back.
  std::shared_ptr<State> state_;
};

}  // namespace firstword::net
