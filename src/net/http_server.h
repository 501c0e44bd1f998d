#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "net/event_loop.h"
#include "net/http_message.h"
#include "net/reply.h"

namespace firstword::net {

struct ListenOptions {
  std::string address = "127.0.0.1";         // or an IPv6 address, or "unix:/path"
  std::uint16_t port = 0;                    // 0: any free port; see port()
  std::size_t max_request_bytes = 1u << 20;  // of a body; headers have 64 KiB
  std::size_t max_connections = 4096;        // more are closed at once
  // For a request to come whole, for a client to take anything of what waits for it. A
  // handler may think, and a stream be quiet, as long as it wants.
  std::chrono::milliseconds idle_timeout{60'000};
  std::size_t max_unsent_bytes = 4u << 20;  // of a stream; see Reply::Write()
  std::string tls_cert_file;                // PEM; both or none
  std::string tls_key_file;
  // What the server says on its own: 400, 413, 431, or 500 for a reply that was dropped. Its
  // status is sent as given here, whatever the page says. Empty: one line of plain text.
  std::function<ServerResponse(int status, std::string_view reason)> error_page;
};

// A small HTTP/1.1 server on an event loop: keep-alive, streams, limits, no files. What is no
// request gets 400, 413 or 431 and the connection's end; who is too slow is cut off. Requests
// of one connection are answered one after the other.
class HttpServer {
 public:
  // Both are called on the loop's thread and must not block.
  using Handler = std::function<ServerResponse(const ServerRequest&)>;
  using AsyncHandler = std::function<void(ServerRequest request, std::shared_ptr<Reply> reply)>;

  [[nodiscard]] static Result<std::unique_ptr<HttpServer>> Listen(EventLoop& loop,
                                                                  ListenOptions options,
                                                                  Handler handler);
  [[nodiscard]] static Result<std::unique_ptr<HttpServer>> Listen(EventLoop& loop,
                                                                  ListenOptions options,
                                                                  AsyncHandler handler);
  ~HttpServer();  // closes every connection at once

  [[nodiscard]] std::uint16_t port() const;

 private:
  class Impl;
  explicit HttpServer(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace firstword::net
