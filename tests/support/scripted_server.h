#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace firstword::support {

// A server for tests that answers each connection with bytes as scripted, sound or not.
// It ends with its destructor, which wakes every wait.
class ScriptedServer {
 public:
  struct Peer {
    int fd = -1;
    ScriptedServer* server = nullptr;

    // False when the client hung up.
    bool Send(std::string_view bytes) const;
    // Reads up to the blank line that ends a request; "" when the client hung up.
    std::string ReadRequest() const;
    // Blocks until the client hangs up or the server ends; false when neither happened in time.
    bool WaitForHangup(std::optional<std::chrono::milliseconds> limit = {}) const;
  };
  using Script = std::function<void(const Peer& peer, int connection)>;

  explicit ScriptedServer(Script script);
  ~ScriptedServer();

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] std::string Url(std::string_view path = "/metrics") const;

 private:
  void Run();

  Script script_;
  int listen_fd_ = -1;
  int wake_[2] = {-1, -1};
  std::uint16_t port_ = 0;
  std::vector<std::thread> peers_;
  std::thread thread_;
};

}  // namespace firstword::support
