#include "net/connector.h"

#include <fmt/format.h>
#include <sys/un.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstring>
#include <optional>
#include <utility>

#include "net/tls.h"

namespace firstword::net {

namespace asio = boost::asio;
using boost::system::error_code;
using Endpoint = asio::generic::stream_protocol::endpoint;

namespace {

constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);

Endpoint UnixEndpoint(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // ParseUrl() refuses longer paths; a cut one cannot connect anywhere.
  std::memcpy(address.sun_path, path.data(), std::min(path.size(), sizeof(address.sun_path) - 1));
  return {&address, sizeof(address)};
}

// Whom the server must prove to be, and what we call it in the handshake.
bool SetPeerName(SSL* ssl, const std::string& name) {
  error_code not_an_address;
  asio::ip::make_address(name, not_an_address);
  if (!not_an_address) {
    const std::string address = name.substr(0, name.find('%'));
    return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), address.c_str()) == 1;
  }
  SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  return SSL_set1_host(ssl, name.c_str()) == 1 && SSL_set_tlsext_host_name(ssl, name.c_str()) == 1;
}

}  // namespace

asio::awaitable<Result<std::unique_ptr<Connection>>> Connector::Connect(const HttpRequest& request,
                                                                        Time deadline,
                                                                        Progress& progress) {
  std::vector<Endpoint> endpoints;
  if (request.url.scheme == "unix") {
    endpoints.push_back(UnixEndpoint(request.url.socket_path));
  } else {
    progress.phase = Phase::kResolving;
    Result<SocketAddresses> addresses = co_await Resolve(request, deadline, progress);
    if (!addresses) co_return std::unexpected(addresses.error());
    for (const SocketAddress& address : *addresses) {
      endpoints.emplace_back(address.data(), address.size());
    }
  }
  if (waits_.ended()) co_return std::unexpected(CancelledError());
  progress.phase = Phase::kConnecting;
  Result<std::unique_ptr<Connection>> connection = NewConnection(request);
  if (!connection) co_return connection;
  Connection::Socket& socket = (*connection)->socket();
  const OpenWaits::Scope scope(waits_, [&socket] { socket.close(); });
  error_code failed = asio::error::host_not_found;
  for (std::size_t i = 0; i < endpoints.size(); ++i) {
    // Each address has an equal share of the time left, or a dead one would take it all.
    const Time now = std::chrono::steady_clock::now();
    socket.expires_at(now + (deadline - now) / static_cast<long>(endpoints.size() - i));
    auto [error] = co_await socket.async_connect(endpoints[i], kAwait);
    if (waits_.ended()) co_return std::unexpected(CancelledError());
    failed = error;
    if (!failed) break;
    socket.close();
  }
  if (failed == boost::beast::error::timeout) {
    co_return std::unexpected(TimeoutError(progress, request.timeout));
  }
  if (failed) co_return Fail(ConnectError(failed), "cannot connect");
  socket.expires_at(deadline);
  if ((*connection)->tls) {
    Result<void> secured = co_await Handshake(**connection, request, progress);
    if (!secured) co_return std::unexpected(secured.error());
  }
  co_return connection;
}

asio::awaitable<Result<SocketAddresses>> Connector::Resolve(const HttpRequest& request,
                                                            Time deadline,
                                                            const Progress& progress) {
  // The timer doubles as the event "the answer is there": its cancellation.
  struct Lookup {
    explicit Lookup(asio::io_context& context) : timer(context) {}
    asio::steady_timer timer;
    std::optional<Result<SocketAddresses>> answer;
  };
  const auto lookup = std::make_shared<Lookup>(loop_.context);
  lookup->timer.expires_at(deadline);
  loop_.resolvers.Resolve(request.url.host, request.url.port,
                          [&context = loop_.context, weak = std::weak_ptr(lookup)](auto answer) {
                            asio::post(context, [weak, answer = std::move(answer)]() mutable {
                              const auto waiting = weak.lock();
                              if (!waiting) return;
                              waiting->answer = std::move(answer);
                              waiting->timer.cancel();
                            });
                          });
  const OpenWaits::Scope scope(waits_, [&timer = lookup->timer] { timer.cancel(); });
  co_await lookup->timer.async_wait(kAwait);
  if (lookup->answer) co_return *std::move(lookup->answer);
  if (waits_.ended()) co_return std::unexpected(CancelledError());
  co_return std::unexpected(TimeoutError(progress, request.timeout));
}

asio::awaitable<Result<void>> Connector::Handshake(Connection& connection,
                                                   const HttpRequest& request, Progress& progress) {
  progress.phase = Phase::kHandshake;
  const std::string& name =
      request.tls.server_name.empty() ? request.url.host : request.tls.server_name;
  SSL* const ssl = connection.tls->native_handle();
  if (!SetPeerName(ssl, name)) {
    co_return Fail(ErrorCode::kInvalid, fmt::format("{} cannot be the name of a server", name));
  }
  auto [error] = co_await connection.tls->async_handshake(asio::ssl::stream_base::client, kAwait);
  if (!error) co_return Result<void>();
  if (error == boost::beast::error::timeout) {
    co_return std::unexpected(TimeoutError(progress, request.timeout));
  }
  const long verified = request.tls.insecure_skip_verify ? X509_V_OK : SSL_get_verify_result(ssl);
  co_return std::unexpected(DescribeTlsFailure(error, verified));
}

Result<std::unique_ptr<Connection>> Connector::NewConnection(const HttpRequest& request) {
  auto connection = std::make_unique<Connection>();
  if (request.url.scheme != "https") {
    connection->plain.emplace(loop_.context);
    return connection;
  }
  const TlsOptions& tls = request.tls;
  const std::string key = fmt::format("{}\n{}\n{}\n{}", tls.ca_file, tls.insecure_skip_verify,
                                      tls.client_cert_file, tls.client_key_file);
  auto known = tls_contexts_.find(key);
  if (known == tls_contexts_.end()) {
    Result<std::shared_ptr<asio::ssl::context>> context = ClientTlsContext(tls);
    if (!context) return std::unexpected(context.error());
    known = tls_contexts_.emplace(key, *std::move(context)).first;
  }
  connection->tls_context = known->second;
  connection->tls.emplace(loop_.context, *connection->tls_context);
  return connection;
}

}  // namespace firstword::net
