#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/http_server.h"
#include "net/test_raw_client.h"

namespace firstword::net {

// A server for tests that keeps every request and its reply for the test to answer.
struct StreamServer {
  explicit StreamServer(ListenOptions options = {}) {
    auto listening = HttpServer::Listen(
        *loop, std::move(options),
        HttpServer::AsyncHandler([this](ServerRequest request, std::shared_ptr<Reply> reply) {
          requests.push_back(std::move(request));
          replies.push_back(std::move(reply));
        }));
    EXPECT_TRUE(listening);
    server = *std::move(listening);
    port = server->port();
  }

  // Sends `request` and waits until it has arrived; its reply, which stays in `replies` too.
  std::shared_ptr<Reply> Ask(const RawClient& client, std::string_view request) {
    const std::size_t before = replies.size();
    client.Send(request);
    EXPECT_TRUE(RunUntil(*loop, [&] { return replies.size() > before; }));
    return replies.size() > before ? replies[before] : nullptr;
  }

  // What the client has got when it has `bytes` of them or the connection ended.
  std::string See(RawClient& client, std::size_t bytes) const {
    EXPECT_TRUE(RunUntil(*loop, [&] { return client.Pull().size() >= bytes || client.ended(); }));
    return client.Pull();
  }

  [[nodiscard]] bool SeeEnd(RawClient& client) const {
    return RunUntil(*loop, [&] {
      client.Pull();
      return client.ended();
    });
  }

  std::unique_ptr<EventLoop> loop = std::make_unique<EventLoop>();
  std::vector<ServerRequest> requests;
  std::vector<std::shared_ptr<Reply>> replies;
  std::unique_ptr<HttpServer> server;
  std::uint16_t port = 0;
};

inline constexpr std::string_view kAsk = "GET /s HTTP/1.1\r\nHost: h\r\n\r\n";
inline constexpr std::string_view kStreamHead =
    "HTTP/1.1 200 OK\r\nServer: firstword\r\nContent-Type: text/event-stream\r\n"
    "Transfer-Encoding: chunked\r\n\r\n";

inline constexpr int kSmall = 4096;  // a receive buffer

// Begins a stream and writes until the client's socket takes no more.
inline std::size_t FillUp(Reply& reply, std::string* written = nullptr) {
  reply.Begin(200, "text/event-stream");
  std::size_t count = 0;
  while (reply.unsent_bytes() == 0 && reply.open()) {
    const std::string piece = std::to_string(count++) + std::string(10'000, '.');
    reply.Write(piece);
    if (written != nullptr) *written += piece;
  }
  return count;
}

}  // namespace firstword::net
