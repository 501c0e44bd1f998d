#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "net/event_loop.h"

namespace firstword::net {

struct ServerRequest {
  std::string method;
  std::string target;  // path and query, as received
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

struct ServerResponse {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

struct ListenOptions {
  std::string address = "127.0.0.1";         // or an IPv6 address, or "unix:/path"
  std::uint16_t port = 0;                    // 0: any free port; see port()
  std::size_t max_request_bytes = 1u << 20;  // of a body; headers have 64 KiB
  std::size_t max_connections = 4096;        // more are closed at once
  // For a request to come whole, for a response to be taken.
  std::chrono::milliseconds idle_timeout{60'000};
  std::string tls_cert_file;  // PEM; both or none
  std::string tls_key_file;
};

// A small HTTP/1.1 server on an event loop: keep-alive, limits, no files. What is no
// request gets 400, 413 or 431 and the connection's end; who is too slow is cut off.
class HttpServer {
 public:
  // Called on the loop's thread; must not block.
  using Handler = std::function<ServerResponse(const ServerRequest&)>;

  [[nodiscard]] static Result<std::unique_ptr<HttpServer>> Listen(EventLoop& loop,
                                                                  ListenOptions options,
                                                                  Handler handler);
  ~HttpServer();  // closes every connection at once

  [[nodiscard]] std::uint16_t port() const;

 private:
  class Impl;
  explicit HttpServer(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace firstword::net
