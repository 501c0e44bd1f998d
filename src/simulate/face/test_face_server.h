#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/http_server.h"
#include "net/test_raw_client.h"
#include "simulate/face/fake_engine.h"
#include "simulate/face/openai_face.h"

namespace firstword::simulate {

inline std::string Post(std::string_view target, std::string_view body,
                        std::string_view headers = "Content-Type: application/json\r\n") {
  std::string text("POST ");
  text.append(target).append(" HTTP/1.1\r\nHost: h\r\nConnection: close\r\n").append(headers);
  text += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
  return text.append(body);
}

inline std::string Get(std::string_view target, std::string_view method = "GET") {
  return std::string(method).append(" ").append(target) +
         " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
}

// What a client got, whole or so far.
struct Seen {
  explicit Seen(std::string_view bytes) {
    const std::size_t end = bytes.find("\r\n\r\n");
    if (end == std::string_view::npos) return;
    head = bytes.substr(0, end + 2);
    status = std::stoi(head.substr(9, 3));
    bytes.remove_prefix(end + 4);
    if (!head.contains("chunked")) {
      body = bytes;
      return;
    }
    while (!bytes.empty()) {
      const std::size_t line = bytes.find("\r\n");
      const std::size_t size = std::stoul(std::string(bytes.substr(0, line)), nullptr, 16);
      if (size == 0) whole = true;
      chunks.emplace_back(bytes.substr(line + 2, size));
      body += chunks.back();
      bytes.remove_prefix(line + 2 + size + 2);
    }
  }

  // The events of a stream, without "data: ".
  [[nodiscard]] std::vector<std::string> events() const {
    std::vector<std::string> events;
    std::string_view left = body;
    while (!left.empty()) {
      const std::size_t end = left.find("\n\n");
      EXPECT_TRUE(left.starts_with("data: ")) << left;
      EXPECT_NE(end, std::string_view::npos) << left;
      events.emplace_back(left.substr(6, end - 6));
      left.remove_prefix(std::min(left.size(), end + 2));
    }
    return events;
  }

  int status = 0;
  std::string head;
  std::string body;
  std::vector<std::string> chunks;
  bool whole = false;  // of a stream: its end came
};

// A face on a port, over an engine that the test plays.
struct FaceServer {
  explicit FaceServer(FaceOptions face_options = {}, net::ListenOptions options = {})
      : face(engine, WithClock(std::move(face_options))) {
    options.error_page = face.ErrorPage();
    server = net::HttpServer::Listen(loop, std::move(options), face.Handler()).value();
  }

  // Sends a request and waits until the engine has `submitted` more or the answer is there.
  void Ask(net::RawClient& client, std::string_view request, std::size_t submitted = 1) {
    const std::size_t want = engine.work.size() + submitted;
    client.Send(request);
    EXPECT_TRUE(
        net::RunUntil(loop, [&] { return engine.work.size() >= want || !client.Pull().empty(); }));
  }

  // The whole answer to a request; the engine says at once what it has to.
  Seen Fetch(std::string_view request) {
    net::RawClient client(server->port());
    client.Send(request);
    EXPECT_TRUE(net::RunUntil(loop, [&] {
      engine.FinishAll();
      client.Pull();
      return client.ended();
    }));
    return Seen(client.Pull());
  }

  Seen SeeUntil(net::RawClient& client, std::string_view text) {
    EXPECT_TRUE(
        net::RunUntil(loop, [&] { return client.Pull().contains(text) || client.ended(); }));
    return Seen(client.Pull());
  }

  [[nodiscard]] bool Until(const std::function<bool()>& done) { return net::RunUntil(loop, done); }

  static FaceOptions WithClock(FaceOptions options) {
    options.unix_now_s = [] { return 1'700'000'000; };
    return options;
  }

  net::EventLoop loop;
  FakeEngine engine;
  OpenAiFace face;
  std::unique_ptr<net::HttpServer> server;
};

inline constexpr std::string_view kChat = "/v1/chat/completions";
inline constexpr std::string_view kCompletions = "/v1/completions";
inline constexpr std::string_view kHello =
    R"({"model":"toy/model","messages":[{"role":"user","content":"Hello"}])";

// A chat request with these fields besides.
inline std::string Chat(std::string_view more = "") {
  return std::string(kHello).append(more).append("}");
}

}  // namespace firstword::simulate
