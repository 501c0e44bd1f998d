#include "net/http_server.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/http.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "net/connection.h"
#include "net/event_loop_impl.h"
#include "net/tls.h"

namespace firstword::net {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using boost::system::error_code;

namespace {

constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);
constexpr std::string_view kUnixPrefix = "unix:";
constexpr std::size_t kMaxHeaderBytes = 64u << 10;
// How much, and how long, a closing connection may still send.
constexpr std::size_t kMaxDrainBytes = 4u << 20;
constexpr std::chrono::seconds kMaxDrainTime{2};

using TcpAcceptor = asio::ip::tcp::acceptor;
using UnixAcceptor = asio::local::stream_protocol::acceptor;

void Rethrow(std::exception_ptr failed) {
  // Only the handler can throw here; that is a programmer's error.
  if (failed) std::rethrow_exception(failed);
}

ServerRequest ToRequest(const http::request<http::string_body>& message) {
  ServerRequest request;
  request.method = message.method_string();
  request.target = message.target();
  for (const auto& field : message)
    request.headers.emplace_back(field.name_string(), field.value());
  request.body = message.body();
  return request;
}

http::response<http::string_body> ToMessage(ServerResponse response, unsigned version,
                                            bool keep_alive, bool head) {
  http::response<http::string_body> message;
  message.version(version);
  message.result(static_cast<unsigned>(response.status));
  message.set(http::field::server, "firstword");
  message.set(http::field::content_type, response.content_type);
  for (const auto& [name, value] : response.headers) message.set(name, value);
  message.keep_alive(keep_alive);
  const std::size_t size = response.body.size();
  if (!head) message.body() = std::move(response.body);
  message.content_length(size);
  return message;
}

}  // namespace

// Shared with the coroutines: they may outlive the server until the loop lets them end.
class HttpServer::Impl final : public EventLoop::Impl::User,
                               public std::enable_shared_from_this<HttpServer::Impl> {
 public:
  Impl(EventLoop& loop, ListenOptions options, Handler handler)
      : loop_(loop.impl()), options_(std::move(options)), handler_(std::move(handler)) {}

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
    for (Connection* connection : connections_) connection->socket().close();
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
      if (self->connections_.size() >= self->options_.max_connections) continue;
      auto connection = std::make_unique<Connection>();
      asio::generic::stream_protocol::socket generic(std::move(socket));
      if (self->tls_context_) {
        connection->tls_context = self->tls_context_;
        connection->tls.emplace(Connection::Socket(std::move(generic)), *self->tls_context_);
      } else {
        connection->plain.emplace(std::move(generic));
      }
      asio::co_spawn(self->loop_.context, Converse(self, std::move(connection)), Rethrow);
    }
  }

  static asio::awaitable<void> Converse(std::shared_ptr<Impl> self,
                                        std::unique_ptr<Connection> connection) {
    self->connections_.insert(connection.get());
    connection->socket().expires_after(self->options_.idle_timeout);
    if (connection->tls) {
      auto [error] =
          co_await connection->tls->async_handshake(asio::ssl::stream_base::server, kAwait);
      if (!error) co_await self->Serve(*connection->tls, *connection);
    } else {
      co_await self->Serve(*connection->plain, *connection);
    }
    if (!self->closed_) co_await End(*connection);
    self->connections_.erase(connection.get());
  }

  template <typename Stream>
  asio::awaitable<void> Serve(Stream& stream, Connection& connection) {
    bool keep_alive = true;
    while (keep_alive && !closed_) {
      connection.socket().expires_after(options_.idle_timeout);
      http::request_parser<http::string_body> parser;
      parser.header_limit(kMaxHeaderBytes);
      parser.body_limit(options_.max_request_bytes);
      auto [error, bytes] = co_await http::async_read(stream, connection.buffer, parser, kAwait);
      if (closed_) co_return;
      std::optional<http::response<http::string_body>> message;
      bool head = false;
      if (error) {
        message = Refusal(error);
        if (!message) co_return;
        keep_alive = false;
      } else {
        const auto& request = parser.get();
        keep_alive = request.keep_alive();
        head = request.method() == http::verb::head;
        message = ToMessage(handler_(ToRequest(request)), request.version(), keep_alive, head);
        if (closed_) co_return;
      }
      // A HEAD answer announces the length of a body it does not carry.
      http::response_serializer<http::string_body> serializer(*message);
      connection.socket().expires_after(options_.idle_timeout);
      auto [write_error, written] =
          co_await (head ? http::async_write_header(stream, serializer, kAwait)
                         : http::async_write(stream, serializer, kAwait));
      if (write_error) co_return;
    }
  }

  // What to say to something that is no request; nothing to who went away or is too slow.
  static std::optional<http::response<http::string_body>> Refusal(const error_code& error) {
    const auto say = [](int status, std::string text) {
      return ToMessage({.status = status, .headers = {}, .body = std::move(text)}, 11, false,
                       false);
    };
    if (error == http::error::body_limit) return say(413, "request too large\n");
    if (error == http::error::header_limit) return say(431, "request headers too large\n");
    const bool malformed = error.category() == make_error_code(http::error::bad_method).category();
    if (!malformed || error == http::error::end_of_stream ||
        error == http::error::partial_message) {
      return std::nullopt;
    }
    return say(400, "bad request\n");
  }

  // Closing while the client still sends would reset the connection, and with it an answer
  // that is on its way. So say goodbye and listen for a while.
  static asio::awaitable<void> End(Connection& connection) {
    Connection::Socket& socket = connection.socket();
    socket.expires_after(kMaxDrainTime);
    if (connection.tls) co_await connection.tls->async_shutdown(kAwait);
    error_code failed;
    socket.socket().shutdown(asio::socket_base::shutdown_send, failed);
    std::array<char, 4096> scratch;
    for (std::size_t drained = 0; !failed && drained < kMaxDrainBytes;) {
      auto [error, bytes] = co_await socket.async_read_some(asio::buffer(scratch), kAwait);
      failed = error;
      drained += bytes;
    }
  }

  EventLoop::Impl& loop_;
  const ListenOptions options_;
  const Handler handler_;
  std::shared_ptr<asio::ssl::context> tls_context_;
  std::optional<TcpAcceptor> tcp_;
  std::optional<UnixAcceptor> unix_;
  std::uint16_t port_ = 0;
  bool closed_ = false;
  std::set<Connection*> connections_;
};

HttpServer::HttpServer(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
HttpServer::~HttpServer() { impl_->Close(); }

Result<std::unique_ptr<HttpServer>> HttpServer::Listen(EventLoop& loop, ListenOptions options,
                                                       Handler handler) {
  auto impl = std::make_shared<Impl>(loop, std::move(options), std::move(handler));
  if (Result<void> open = impl->Open(); !open) return std::unexpected(open.error());
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(impl)));
}

std::uint16_t HttpServer::port() const { return impl_->port(); }

}  // namespace firstword::net
