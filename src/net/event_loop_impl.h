#pragma once

#include <boost/asio/io_context.hpp>
#include <set>

#include "net/event_loop.h"
#include "net/resolver.h"

namespace firstword::net {

// Private to net: what EventLoop hides.
class EventLoop::Impl {
 public:
  // Holds sockets of the loop, so it must let go of them when the loop ends first.
  class User {
   public:
    // Ends everything outstanding and takes itself off `users`. Does nothing the second time.
    virtual void Close() = 0;

   protected:
    ~User() = default;
  };

  ~Impl() {
    while (!users.empty()) (*users.begin())->Close();
  }

  boost::asio::io_context context{1};
  ResolverPool resolvers;
  std::set<User*> users;
};

}  // namespace firstword::net
