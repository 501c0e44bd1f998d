#include "support/scripted_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <utility>

#include "base/check.h"

namespace firstword::support {

bool ScriptedServer::Peer::Send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

std::string ScriptedServer::Peer::ReadRequest() const {
  std::string request;
  while (!request.ends_with("\r\n\r\n")) {
    pollfd fds[] = {{fd, POLLIN, 0}, {server->wake_[0], POLLIN, 0}};
    ::poll(fds, 2, -1);
    char c = 0;
    if (fds[1].revents != 0 || ::recv(fd, &c, 1, 0) != 1) return {};
    request += c;
  }
  return request;
}

bool ScriptedServer::Peer::WaitForHangup(std::optional<std::chrono::milliseconds> limit) const {
  char buffer[4096];
  while (true) {
    pollfd fds[] = {{fd, POLLIN, 0}, {server->wake_[0], POLLIN, 0}};
    if (::poll(fds, 2, limit ? static_cast<int>(limit->count()) : -1) == 0) return false;
    if (fds[1].revents != 0 || ::recv(fd, buffer, sizeof(buffer), 0) <= 0) return true;
  }
}

ScriptedServer::ScriptedServer(Script script) : script_(std::move(script)) {
  listen_fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  CHECK(listen_fd_ >= 0 && ::pipe(wake_) == 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  CHECK(::bind(listen_fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0);
  CHECK(::listen(listen_fd_, 64) == 0);
  socklen_t size = sizeof(address);
  CHECK(::getsockname(listen_fd_, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { Run(); });
}

ScriptedServer::~ScriptedServer() {
  CHECK(::write(wake_[1], "x", 1) == 1);
  thread_.join();
  for (std::thread& peer : peers_) peer.join();
  ::close(listen_fd_);
  ::close(wake_[0]);
  ::close(wake_[1]);
}

std::string ScriptedServer::Url(std::string_view path) const {
  return fmt::format("http://127.0.0.1:{}{}", port_, path);
}

void ScriptedServer::Run() {
  for (int connection = 0;; ++connection) {
    pollfd fds[] = {{listen_fd_, POLLIN, 0}, {wake_[0], POLLIN, 0}};
    ::poll(fds, 2, -1);
    if (fds[1].revents != 0) return;
    const int fd = ::accept(listen_fd_, nullptr, nullptr);
    if (fd < 0) continue;
    peers_.emplace_back([this, fd, connection] {
      script_({fd, this}, connection);
      ::shutdown(fd, SHUT_WR);
      ::close(fd);
    });
  }
}

}  // namespace firstword::support
