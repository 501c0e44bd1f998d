#pragma once

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <memory>
#include <optional>

namespace firstword::net {

// One client connection: TCP or unix socket (a generic protocol covers both), plain or
// TLS, with the bytes read too far. Private to net.
struct Connection {
  using Socket = boost::beast::basic_stream<boost::asio::generic::stream_protocol>;
  using Tls = boost::asio::ssl::stream<Socket>;

  std::optional<Socket> plain;
  std::shared_ptr<boost::asio::ssl::context> tls_context;  // must outlive `tls`
  std::optional<Tls> tls;
  boost::beast::flat_buffer buffer;
  bool reused = false;

  Socket& socket() { return tls ? tls->next_layer() : *plain; }
};

}  // namespace firstword::net
