#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ssl/context.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "net/client_errors.h"
#include "net/connection.h"
#include "net/event_loop_impl.h"
#include "net/http_client.h"
#include "net/open_waits.h"

namespace firstword::net {

// Opens connections: host name, socket, TLS. Private to net.
class Connector {
 public:
  using Time = std::chrono::steady_clock::time_point;

  Connector(EventLoop::Impl& loop, OpenWaits& waits) : loop_(loop), waits_(waits) {}

  // Keeps `progress` up to date. Fails with kCancelled when `waits` ended.
  [[nodiscard]] boost::asio::awaitable<Result<std::unique_ptr<Connection>>> Connect(
      const HttpRequest& request, Time deadline, Progress& progress);

 private:
  [[nodiscard]] boost::asio::awaitable<Result<SocketAddresses>> Resolve(const HttpRequest& request,
                                                                        Time deadline,
                                                                        const Progress& progress);
  [[nodiscard]] boost::asio::awaitable<Result<void>> Handshake(Connection& connection,
                                                               const HttpRequest& request,
                                                               Progress& progress);
  [[nodiscard]] Result<std::unique_ptr<Connection>> NewConnection(const HttpRequest& request);

  EventLoop::Impl& loop_;
  OpenWaits& waits_;
  std::map<std::string, std::shared_ptr<boost::asio::ssl::context>> tls_contexts_;
};

}  // namespace firstword::net
