#include "net/http_client.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <sys/un.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/http.hpp>
#include <cstring>
#include <list>
#include <map>
#include <set>
#include <utility>

#include "net/client_errors.h"
#include "net/connection.h"
#include "net/event_loop_impl.h"
#include "net/gzip.h"
#include "net/tls.h"

namespace firstword::net {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

namespace {

constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kMaxIdlePerOrigin = 4;

// The request failed before a response was there; `retry` when a kept connection turned
// out to be closed, so that a fresh one deserves a try.
struct ExchangeFailure {
  Error error;
  bool retry = false;
};

std::string OriginKey(const HttpRequest& request) {
  const TlsOptions& tls = request.tls;
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}", request.url.scheme, request.url.Authority(),
                     tls.ca_file, tls.insecure_skip_verify, tls.client_cert_file,
                     tls.client_key_file, tls.server_name);
}

// Marks a connection as one to close when the client ends, as long as it lives.
class InUse {
 public:
  InUse(std::set<Connection*>& all, Connection* connection) : all_(all), connection_(connection) {
    all_.insert(connection);
  }
  ~InUse() { all_.erase(connection_); }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;

 private:
  std::set<Connection*>& all_;
  Connection* connection_;
};

http::request<http::string_body> BuildRequest(const HttpRequest& request) {
  http::request<http::string_body> message(http::verb::get, request.url.target, 11);
  message.method_string(request.method);
  const bool standard = request.url.port == (request.url.scheme == "https" ? 443 : 80);
  if (request.url.scheme == "unix") {
    message.set(http::field::host, "localhost");
  } else {
    std::string host = request.url.Authority();
    if (standard) host.resize(host.rfind(':'));
    message.set(http::field::host, host);
  }
  message.set(http::field::user_agent, "firstword");
  if (request.accept_gzip) message.set(http::field::accept_encoding, "gzip");
  const std::string& user = request.basic_user.empty() ? request.url.user : request.basic_user;
  const std::string& password =
      request.basic_user.empty() ? request.url.password : request.basic_password;
  if (!request.bearer_token.empty()) {
    message.set(http::field::authorization, "Bearer " + request.bearer_token);
  } else if (!user.empty()) {
    const std::string pair = user + ":" + password;
    std::string encoded(4 * ((pair.size() + 2) / 3) + 1, '\0');
    const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(encoded.data()),
                                       reinterpret_cast<const unsigned char*>(pair.data()),
                                       static_cast<int>(pair.size()));
    encoded.resize(static_cast<std::size_t>(length));
    message.set(http::field::authorization, "Basic " + encoded);
  }
  for (const auto& [name, value] : request.headers) message.set(name, value);
  return message;
}

bool SameOrigin(const Url& a, const Url& b) {
  return a.scheme == b.scheme && a.host == b.host && a.port == b.port;
}

bool IsRedirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

}  // namespace

class HttpClient::Impl : public std::enable_shared_from_this<HttpClient::Impl> {
 public:
  explicit Impl(EventLoop& loop) : loop_(loop.impl()) {}

  void Start(HttpRequest request, Callback done) {
    const auto active = active_.insert(active_.end(), std::move(done));
    asio::co_spawn(
        loop_.context,
        [self = shared_from_this(), request = std::move(request),
         active]() mutable -> asio::awaitable<void> {
          Result<HttpResponse> result = co_await self->Perform(request);
          if (self->closed_) co_return;
          Callback callback = std::move(*active);
          self->active_.erase(active);
          if (!result) result = Fail(result.error(), request.url.ToString());
          callback(std::move(result));
        },
        [](std::exception_ptr failed) {
          // Only our own callbacks can throw here; that is a programmer's error.
          if (failed) std::rethrow_exception(failed);
        });
  }

  void Close() {
    closed_ = true;
    idle_.clear();
    for (Connection* connection : in_use_) connection->socket().close();
    for (asio::steady_timer* timer : waiting_) timer->cancel();
    std::list<Callback> callbacks = std::move(active_);
    for (Callback& done : callbacks) {
      if (done) done(Fail(ErrorCode::kCancelled, "the request was cancelled"));
    }
  }

 private:
  // Follows redirects; one deadline over all of it.
  asio::awaitable<Result<HttpResponse>> Perform(HttpRequest& request) {
    const Clock::time_point start = Clock::now();
    const Clock::time_point deadline = start + request.timeout;
    for (int redirects = 0;; ++redirects) {
      Progress progress;
      Result<HttpResponse> response = co_await FetchOneUrl(request, deadline, progress);
      if (!response) co_return response;
      const auto location =
          std::find_if(response->headers.begin(), response->headers.end(),
                       [](const auto& h) { return beast::iequals(h.first, "location"); });
      if (!IsRedirect(response->status) || location == response->headers.end()) {
        response->final_url = request.url.ToString();
        response->duration =
            std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
        co_return response;
      }
      if (redirects == request.max_redirects) {
        co_return Fail(ErrorCode::kUnavailable,
                       fmt::format("more than {} redirects", request.max_redirects),
                       "the server redirects in a circle; give the final address");
      }
      Result<Url> next = ResolveReference(request.url, location->second);
      if (!next) co_return Fail(next.error(), "redirect");
      if (SameOrigin(*next, request.url)) {
        next->user = request.url.user;
        next->password = request.url.password;
      } else {
        // Another server must not learn this one's credentials.
        request.bearer_token.clear();
        request.basic_user.clear();
        request.basic_password.clear();
        std::erase_if(request.headers, [](const auto& header) {
          return beast::iequals(header.first, "authorization") ||
                 beast::iequals(header.first, "cookie");
        });
      }
      request.url = *std::move(next);
    }
  }

  asio::awaitable<Result<HttpResponse>> FetchOneUrl(const HttpRequest& request,
                                                    Clock::time_point deadline,
                                                    Progress& progress) {
    const std::string key = OriginKey(request);
    for (bool fresh = false;; fresh = true) {
      std::unique_ptr<Connection> connection = fresh ? nullptr : TakeIdle(key);
      if (!connection) {
        Result<std::unique_ptr<Connection>> opened = co_await Connect(request, deadline, progress);
        if (!opened) co_return std::unexpected(opened.error());
        connection = *std::move(opened);
      }
      std::optional<InUse> in_use(std::in_place, in_use_, connection.get());
      connection->socket().expires_at(deadline);
      bool keep_alive = false;
      std::expected<HttpResponse, ExchangeFailure> response =
          connection->tls
              ? co_await Exchange(*connection->tls, *connection, request, progress, &keep_alive)
              : co_await Exchange(*connection->plain, *connection, request, progress, &keep_alive);
      in_use.reset();
      if (response) {
        if (keep_alive && !closed_) KeepIdle(key, std::move(connection));
        co_return *std::move(response);
      }
      if (response.error().retry && !fresh && !closed_) continue;
      co_return std::unexpected(response.error().error);
    }
  }

  asio::awaitable<Result<std::unique_ptr<Connection>>> Connect(const HttpRequest& request,
                                                               Clock::time_point deadline,
                                                               Progress& progress) {
    using Endpoint = asio::generic::stream_protocol::endpoint;
    std::vector<Endpoint> endpoints;
    if (request.url.scheme == "unix") {
      sockaddr_un address{};
      address.sun_family = AF_UNIX;
      std::memcpy(address.sun_path, request.url.socket_path.data(), request.url.socket_path.size());
      endpoints.emplace_back(&address, sizeof(address));
    } else {
      progress.phase = Phase::kResolving;
      Result<std::vector<SocketAddress>> addresses = co_await Resolve(request, deadline, progress);
      if (!addresses) co_return std::unexpected(addresses.error());
      for (const SocketAddress& address : *addresses) {
        endpoints.emplace_back(address.bytes.data(), address.bytes.size());
      }
    }
    progress.phase = Phase::kConnecting;
    auto connection = std::make_unique<Connection>();
    if (request.url.scheme == "https") {
      Result<std::shared_ptr<asio::ssl::context>> context = TlsContext(request.tls);
      if (!context) co_return std::unexpected(context.error());
      connection->tls_context = *std::move(context);
      connection->tls.emplace(loop_.context, *connection->tls_context);
    } else {
      connection->plain.emplace(loop_.context);
    }
    const InUse in_use(in_use_, connection.get());
    error_code failed = asio::error::host_not_found;
    for (const Endpoint& endpoint : endpoints) {
      connection->socket().expires_at(deadline);
      auto [error] = co_await connection->socket().async_connect(endpoint, kAwait);
      failed = error;
      if (!failed || failed == beast::error::timeout) break;
      connection->socket().close();
    }
    if (!failed && connection->tls) {
      progress.phase = Phase::kHandshake;
      Result<void> secured = co_await Handshake(*connection, request, deadline);
      if (!secured) co_return std::unexpected(secured.error());
      co_return std::move(connection);
    }
    if (failed == beast::error::timeout)
      co_return std::unexpected(TimeoutError(progress, request.timeout));
    if (failed) co_return Fail(ConnectError(failed), "cannot connect");
    co_return std::move(connection);
  }

  asio::awaitable<Result<std::vector<SocketAddress>>> Resolve(const HttpRequest& request,
                                                              Clock::time_point deadline,
                                                              const Progress& progress) {
    // The timer doubles as the event "the answer is there": its cancellation.
    struct Lookup {
      explicit Lookup(asio::io_context& context) : timer(context) {}
      asio::steady_timer timer;
      std::optional<Result<std::vector<SocketAddress>>> answer;
    };
    auto lookup = std::make_shared<Lookup>(loop_.context);
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
    waiting_.insert(&lookup->timer);
    co_await lookup->timer.async_wait(kAwait);
    waiting_.erase(&lookup->timer);
    if (lookup->answer) co_return *std::move(lookup->answer);
    if (closed_) co_return Fail(ErrorCode::kCancelled, "the request was cancelled");
    co_return std::unexpected(TimeoutError(progress, request.timeout));
  }

  asio::awaitable<Result<void>> Handshake(Connection& connection, const HttpRequest& request,
                                          Clock::time_point deadline) {
    const std::string& name =
        request.tls.server_name.empty() ? request.url.host : request.tls.server_name;
    SSL* const ssl = connection.tls->native_handle();
    error_code not_an_address;
    asio::ip::make_address(name, not_an_address);
    if (not_an_address) SSL_set_tlsext_host_name(ssl, name.c_str());
    if (!request.tls.insecure_skip_verify) {
      connection.tls->set_verify_callback(asio::ssl::host_name_verification(name));
    }
    connection.socket().expires_at(deadline);
    auto [error] = co_await connection.tls->async_handshake(asio::ssl::stream_base::client, kAwait);
    if (!error) co_return Result<void>();
    if (error == beast::error::timeout) {
      co_return std::unexpected(TimeoutError({Phase::kHandshake, 0}, request.timeout));
    }
    long verified = SSL_get_verify_result(ssl);
    const bool refused = ERR_GET_REASON(static_cast<unsigned long>(error.value())) ==
                         SSL_R_CERTIFICATE_VERIFY_FAILED;
    // The chain is sound but our callback said no: the name is another one.
    if (refused && (verified == X509_V_OK || verified == X509_V_ERR_UNSPECIFIED))
      verified = X509_V_ERR_HOSTNAME_MISMATCH;
    co_return std::unexpected(
        DescribeTlsFailure(error, request.tls.insecure_skip_verify ? X509_V_OK : verified));
  }

  template <typename Stream>
  asio::awaitable<std::expected<HttpResponse, ExchangeFailure>> Exchange(Stream& stream,
                                                                         Connection& connection,
                                                                         const HttpRequest& request,
                                                                         Progress& progress,
                                                                         bool* keep_alive) {
    const auto fail = [](Error error, bool retry = false) {
      return std::unexpected(ExchangeFailure{std::move(error), retry});
    };
    progress.phase = Phase::kSending;
    http::request<http::string_body> message;
    try {
      message = BuildRequest(request);
    } catch (const std::exception& error) {
      // Beast refuses a header that is too long.
      co_return fail({ErrorCode::kInvalid, fmt::format("cannot send the request: {}", error.what()),
                      "shorten the header or token"});
    }
    auto [send_error, sent] = co_await http::async_write(stream, message, kAwait);
    if (send_error == beast::error::timeout)
      co_return fail(TimeoutError(progress, request.timeout));
    if (send_error) {
      co_return fail(
          {ErrorCode::kUnavailable, fmt::format("the connection broke: {}", send_error.message()),
           "the server closed it while the request was sent"},
          connection.reused);
    }

    progress.phase = Phase::kWaiting;
    http::response_parser<http::buffer_body> parser;
    parser.header_limit(kMaxHeaderBytes);
    parser.body_limit(boost::none);
    auto [header_error, header_bytes] =
        co_await http::async_read_header(stream, connection.buffer, parser, kAwait);
    if (header_error) {
      const bool nothing_came = header_bytes == 0 && connection.buffer.size() == 0;
      co_return fail(HeaderError(header_error, connection.buffer, progress, request.timeout),
                     connection.reused && nothing_came && header_error != beast::error::timeout);
    }

    progress.phase = Phase::kReading;
    HttpResponse response;
    const auto& head = parser.get();
    response.status = static_cast<int>(head.result_int());
    response.content_type = head[http::field::content_type];
    for (const auto& field : head)
      response.headers.emplace_back(field.name_string(), field.value());
    const beast::string_view encoding = head[http::field::content_encoding];
    std::optional<Inflater> inflater;
    if (beast::iequals(encoding, "gzip") || beast::iequals(encoding, "x-gzip") ||
        beast::iequals(encoding, "deflate")) {
      inflater.emplace(request.max_body_bytes);
    } else if (!encoding.empty() && !beast::iequals(encoding, "identity")) {
      co_return fail({ErrorCode::kUnavailable,
                      fmt::format("the answer is encoded as {}, which was not asked for",
                                  std::string_view(encoding.data(), encoding.size())),
                      "only gzip is understood"});
    }
    char piece[32768];
    while (!parser.is_done()) {
      parser.get().body().data = piece;
      parser.get().body().size = sizeof(piece);
      auto [read_error, read_bytes] =
          co_await http::async_read_some(stream, connection.buffer, parser, kAwait);
      const std::size_t got = sizeof(piece) - parser.get().body().size;
      response.wire_bytes += got;
      progress.body_bytes = response.wire_bytes;
      if (response.wire_bytes > request.max_body_bytes)
        co_return fail(TooLargeError(request.max_body_bytes));
      if (inflater && got > 0) {
        if (Result<void> fed = inflater->Feed({piece, got}, &response.body); !fed) {
          Error error = fed.error();
          if (error.code == ErrorCode::kLimit) error = TooLargeError(request.max_body_bytes);
          co_return fail(std::move(error));
        }
      } else {
        response.body.append(piece, got);
      }
      if (read_error == http::error::need_buffer) continue;
      if (read_error == beast::error::timeout)
        co_return fail(TimeoutError(progress, request.timeout));
      if (read_error)
        co_return fail(
            BodyError(read_error, parser.content_length_remaining(), response.wire_bytes));
    }
    if (inflater && response.wire_bytes > 0) {
      if (Result<void> whole = inflater->Finish(); !whole) co_return fail(whole.error());
    }
    *keep_alive = head.keep_alive();
    co_return response;
  }

  Result<std::shared_ptr<asio::ssl::context>> TlsContext(const TlsOptions& options) {
    const std::string key =
        fmt::format("{}\n{}\n{}\n{}", options.ca_file, options.insecure_skip_verify,
                    options.client_cert_file, options.client_key_file);
    const auto known = tls_contexts_.find(key);
    if (known != tls_contexts_.end()) return known->second;
    Result<std::shared_ptr<asio::ssl::context>> context = ClientTlsContext(options);
    if (context) tls_contexts_.emplace(key, *context);
    return context;
  }

  std::unique_ptr<Connection> TakeIdle(const std::string& key) {
    const auto found = idle_.find(key);
    if (found == idle_.end() || found->second.empty()) return nullptr;
    std::unique_ptr<Connection> connection = std::move(found->second.back());
    found->second.pop_back();
    connection->reused = true;
    return connection;
  }

  void KeepIdle(const std::string& key, std::unique_ptr<Connection> connection) {
    std::vector<std::unique_ptr<Connection>>& kept = idle_[key];
    if (kept.size() >= kMaxIdlePerOrigin) return;
    connection->socket().expires_never();
    kept.push_back(std::move(connection));
  }

  EventLoop::Impl& loop_;
  bool closed_ = false;
  std::list<Callback> active_;
  std::set<Connection*> in_use_;
  std::set<asio::steady_timer*> waiting_;
  std::map<std::string, std::vector<std::unique_ptr<Connection>>> idle_;
  std::map<std::string, std::shared_ptr<asio::ssl::context>> tls_contexts_;
};

HttpClient::HttpClient(EventLoop& loop) : impl_(std::make_shared<Impl>(loop)) {}
HttpClient::~HttpClient() { impl_->Close(); }

void HttpClient::Fetch(HttpRequest request, Callback done) {
  impl_->Start(std::move(request), std::move(done));
}

Result<HttpResponse> FetchOnce(HttpRequest request) {
  EventLoop loop;
  HttpClient client(loop);
  Result<HttpResponse> result = Fail(ErrorCode::kCancelled, "the request was cancelled");
  client.Fetch(std::move(request), [&](Result<HttpResponse> got) {
    result = std::move(got);
    loop.Stop();
  });
  loop.Run();
  return result;
}

}  // namespace firstword::net
