#pragma once

#include <boost/asio/io_context.hpp>

#include "net/event_loop.h"
#include "net/resolver.h"

namespace firstword::net {

// Private to net: what EventLoop hides.
class EventLoop::Impl {
 public:
  boost::asio::io_context context{1};
  ResolverPool resolvers;
};

}  // namespace firstword::net
