#include "net/http_server.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <type_traits>
#include <utility>

#include "net/connection.h"
#include "net/event_loop_impl.h"
#include "net/http_conversation.h"
#include "net/tls.h"

namespace firstword::net {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);
constexpr std::string_view kUnixPrefix = "unix:";

using TcpAcceptor = asio::ip::tcp::acceptor;
using UnixAcceptor = asio::local::stream_protocol::acceptor;

void Rethrow(std::exception_ptr failed) {
  // Only the handler can throw here; that is a programmer's error.
  if (failed) std::rethrow_exception(failed);
}

}  // namespace

// Shared with the coroutines: they may outlive the server until the loop lets them end.
class HttpServer::Impl final : public EventLoop::Impl::User,
                               public std::enable_shared_from_this<HttpServer::Impl> {
 public:
  Impl(EventLoop& loop, ListenOptions options, AsyncHandler handler)
      : event_loop_(loop),
        loop_(loop.impl()),
        settings_(std::make_shared<const ServerSettings>(std::move(options), std::move(handler))),
        options_(settings_->options) {}

  Result<void> Open() {
    if (!options_.tls_cert_file.empty()) {
      Result<std::shared_ptr<asio::ssl::context>> context =
          ServerTlsContext(options_.tls_cert_file, options_.tls_key_file);
      if (!context) return std::unexpected(context.error());
      tls_context_ = *std::move(context);
    }
    Result<void> open = options_.address.starts_with(kUnixPrefix)
                            ? OpenUnix(options_.address.substr(kUnixPrefix.size()))
                            : OpenTcp();
    if (open) loop_.users.insert(this);
    return open;
  }

  void Close() override {
    if (closed_) return;
    closed_ = true;
    loop_.users.erase(this);
    if (unix_) ::unlink(options_.address.c_str() + kUnixPrefix.size());
    tcp_.reset();
    unix_.reset();
    for (HttpConversation* conversation : conversations_) conversation->Close();
  }

  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  Result<void> OpenTcp() {
    error_code error;
    const asio::ip::address address = asio::ip::make_address(options_.address, error);
    const std::string shown = fmt::format(fmt::runtime(address.is_v6() ? "[{}]:{}" : "{}:{}"),
                                          options_.address, options_.port);
    if (error)
      return Fail(ErrorCode::kInvalid, fmt::format("cannot listen on {}: not an IP address", shown),
                  "write 127.0.0.1, ::1, 0.0.0.0 for every interface, or unix:/path");
    const asio::ip::tcp::endpoint endpoint(address, options_.port);
    tcp_.emplace(loop_.context);
    tcp_->open(endpoint.protocol(), error);
    if (!error) tcp_->set_option(asio::socket_base::reuse_address(true), error);
    if (!error) tcp_->bind(endpoint, error);
    if (!error) tcp_->listen(asio::socket_base::max_listen_connections, error);
    if (error) {
      return Fail(ErrorCode::kIo, fmt::format("cannot listen on {}: {}", shown, error.message()),
                  error == asio::error::address_in_use
                      ? "another program has the port; choose one that is free"
                      : "choose another address or port");
    }
    port_ = tcp_->local_endpoint().port();
    asio::co_spawn(loop_.context, Accept(shared_from_this(), *tcp_), Rethrow);
    return {};
  }

  Result<void> OpenUnix(const std::string& path) {
    using Protocol = asio::local::stream_protocol;
    const std::string context = fmt::format("cannot listen on {}", path);
    // sockaddr_un holds 108 bytes with the closing zero.
    if (path.empty() || path.size() > 107) {
      return Fail(ErrorCode::kInvalid, context + ": a socket's path has 1 to 107 bytes");
    }
    const Protocol::endpoint endpoint(path);
    struct stat old{};
    if (::stat(path.c_str(), &old) == 0 && S_ISSOCK(old.st_mode)) {
      // Left behind by a program that died, unless somebody answers.
      error_code silent;
      Protocol::socket(loop_.context).connect(endpoint, silent);
      if (!silent) {
        return Fail(ErrorCode::kIo, context + ": another program listens there",
                    "choose another path");
      }
      ::unlink(path.c_str());
    }
    error_code error;
    UnixAcceptor acceptor(loop_.context);
    acceptor.open(Protocol(), error);
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (error) {
      return Fail(ErrorCode::kIo, fmt::format("{}: {}", context, error.message()),
                  "does the folder exist, and may this user write in it?");
    }
    unix_.emplace(std::move(acceptor));
    asio::co_spawn(loop_.context, Accept(shared_from_this(), *unix_), Rethrow);
    return {};
  }

  template <typename Acceptor>
  static asio::awaitable<void> Accept(std::shared_ptr<Impl> self, Acceptor& acceptor) {
    while (!self->closed_) {
      auto [error, socket] = co_await acceptor.async_accept(kAwait);
      if (self->closed_) co_return;
      if (error) {
        // Out of descriptors: wait until connections end instead of spinning.
        asio::steady_timer pause(self->loop_.context, std::chrono::milliseconds(100));
        co_await pause.async_wait(kAwait);
        continue;
      }
      if (self->conversations_.size() >= self->options_.max_connections) continue;
      self->Welcome(std::move(socket));
    }
  }

  template <typename Socket>
  void Welcome(Socket socket) {
    if constexpr (std::is_same_v<typename Socket::protocol_type, asio::ip::tcp>) {
      // A token must not wait for the acknowledgement of the one before.
      error_code ignored;
      socket.set_option(asio::ip::tcp::no_delay(true), ignored);
    }
    auto connection = std::make_unique<Connection>();
    asio::generic::stream_protocol::socket generic(std::move(socket));
    if (tls_context_) {
      connection->tls_context = tls_context_;
      connection->tls.emplace(Connection::Socket(std::move(generic)), *tls_context_);
    } else {
      connection->plain.emplace(std::move(generic));
    }
    auto conversation =
        std::make_shared<HttpConversation>(event_loop_, settings_, std::move(connection));
    conversations_.insert(conversation.get());
    asio::co_spawn(loop_.context, Converse(shared_from_this(), std::move(conversation)), Rethrow);
  }

  static asio::awaitable<void> Converse(std::shared_ptr<Impl> self,
                                        std::shared_ptr<HttpConversation> conversation) {
    const struct Member {  // even when a handler throws
      ~Member() { server.conversations_.erase(conversation); }
      Impl& server;
      HttpConversation* conversation;
    } member{*self, conversation.get()};
    co_await conversation->Run();
  }

  EventLoop& event_loop_;
  EventLoop::Impl& loop_;
  const std::shared_ptr<const ServerSettings> settings_;
  const ListenOptions& options_;
  std::shared_ptr<asio::ssl::context> tls_context_;
  std::optional<TcpAcceptor> tcp_;
  std::optional<UnixAcceptor> unix_;
  std::uint16_t port_ = 0;
  bool closed_ = false;
  std::set<HttpConversation*> conversations_;
};

HttpServer::HttpServer(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
HttpServer::~HttpServer() { impl_->Close(); }

Result<std::unique_ptr<HttpServer>> HttpServer::Listen(EventLoop& loop, ListenOptions options,
                                                       AsyncHandler handler) {
  auto impl = std::make_shared<Impl>(loop, std::move(options), std::move(handler));
  if (Result<void> open = impl->Open(); !open) return std::unexpected(open.error());
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(impl)));
}

Result<std::unique_ptr<HttpServer>> HttpServer::Listen(EventLoop& loop, ListenOptions options,
                                                       Handler handler) {
  return Listen(loop, std::move(options),
                AsyncHandler([handler = std::move(handler)](const ServerRequest& request,
                                                            const std::shared_ptr<Reply>& reply) {
                  reply->Send(handler(request));
                }));
}

std::uint16_t HttpServer::port() const { return impl_->port(); }

}  // namespace firstword::net
