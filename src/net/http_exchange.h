#pragma once

#include <boost/asio/awaitable.hpp>
#include <expected>

#include "net/client_errors.h"
#include "net/connection.h"
#include "net/http_client.h"

namespace firstword::net {

struct Exchanged {
  HttpResponse response;
  bool keep_alive = false;
};

// No whole response came. `retry` when a kept connection turned out to be closed, so that
// a fresh one deserves a try.
struct ExchangeFailure {
  Error error;
  bool retry = false;
};

// Sends `request` on an open connection, whose deadline is set, and reads the response.
// Private to net; the one place of the client that knows Beast's HTTP.
[[nodiscard]] boost::asio::awaitable<std::expected<Exchanged, ExchangeFailure>> Exchange(
    Connection& connection, const HttpRequest& request, Progress& progress);

}  // namespace firstword::net
