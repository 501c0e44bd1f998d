#include "net/http_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <list>
#include <optional>
#include <set>
#include <utility>

#include "net/client_errors.h"
#include "net/client_request.h"
#include "net/connection_pool.h"
#include "net/connector.h"
#include "net/event_loop_impl.h"
#include "net/http_exchange.h"
#include "net/open_waits.h"

namespace firstword::net {

namespace asio = boost::asio;
using SteadyClock = std::chrono::steady_clock;

namespace {

bool IsRedirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

std::optional<std::string> Location(const HttpResponse& response) {
  if (!IsRedirect(response.status)) return std::nullopt;
  for (const auto& [name, value] : response.headers) {
    if (EqualsIgnoringCase(name, "location")) return value;
  }
  return std::nullopt;
}

}  // namespace

// Shared with the coroutines: they may outlive the client until the loop lets them end.
class HttpClient::Impl final : public EventLoop::Impl::User,
                               public std::enable_shared_from_this<HttpClient::Impl> {
 public:
  explicit Impl(EventLoop& loop) : loop_(loop.impl()), connector_(loop_, waits_) {
    loop_.users.insert(this);
  }

  void Start(HttpRequest request, Callback done) {
    if (waits_.ended()) return done(std::unexpected(CancelledError()));
    const auto active = active_.insert(active_.end(), std::move(done));
    asio::co_spawn(
        loop_.context,
        [self = shared_from_this(), request = std::move(request),
         active]() mutable -> asio::awaitable<void> {
          Result<HttpResponse> result = co_await self->Perform(request);
          if (self->waits_.ended()) co_return;
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

  void Close() override {
    if (waits_.ended()) return;
    const auto self = shared_from_this();  // a callback may destroy the client
    loop_.users.erase(this);
    waits_.End();
    idle_.Clear();
    std::list<Callback> callbacks = std::move(active_);
    for (Callback& done : callbacks) done(std::unexpected(CancelledError()));
  }

 private:
  // Follows redirects; one deadline over all of it.
  asio::awaitable<Result<HttpResponse>> Perform(HttpRequest& request) {
    const SteadyClock::time_point start = SteadyClock::now();
    const SteadyClock::time_point deadline = start + request.timeout;
    if (auto good = CheckRequest(request); !good) co_return std::unexpected(good.error());
    std::set<std::string> visited;
    while (true) {
      visited.insert(request.url.ToString());
      Result<HttpResponse> response = co_await FetchOneUrl(request, deadline);
      if (!response) co_return response;
      const std::optional<std::string> location = Location(*response);
      if (!location) {
        response->final_url = request.url.ToString();
        response->duration =
            std::chrono::duration_cast<std::chrono::microseconds>(SteadyClock::now() - start);
        co_return response;
      }
      if (std::cmp_greater(visited.size(), request.max_redirects)) {
        co_return Fail(ErrorCode::kUnavailable,
                       fmt::format("more than {} redirects", request.max_redirects),
                       "give the final address");
      }
      if (auto redirected = Redirect(*location, request); !redirected) {
        co_return std::unexpected(redirected.error());
      }
      if (visited.contains(request.url.ToString())) {
        co_return Fail(ErrorCode::kUnavailable, "redirect loop: it leads back here",
                       "the server or a proxy is misconfigured; give the final address");
      }
    }
  }

  asio::awaitable<Result<HttpResponse>> FetchOneUrl(const HttpRequest& request,
                                                    SteadyClock::time_point deadline) {
    const std::string key = ConnectionKey(request);
    Progress progress;
    std::unique_ptr<Connection> connection = idle_.Take(key, SteadyClock::now());
    while (true) {
      if (!connection) {
        auto opened = co_await connector_.Connect(request, deadline, progress);
        if (!opened) co_return std::unexpected(opened.error());
        connection = *std::move(opened);
      }
      connection->socket().expires_at(deadline);
      std::optional<OpenWaits::Scope> scope(std::in_place, waits_,
                                            [&socket = connection->socket()] { socket.close(); });
      auto exchanged = co_await Exchange(*connection, request, progress);
      scope.reset();
      if (waits_.ended()) co_return std::unexpected(CancelledError());
      if (exchanged) {
        if (exchanged->keep_alive) idle_.Keep(key, std::move(connection), SteadyClock::now());
        co_return std::move(exchanged->response);
      }
      if (!exchanged.error().retry) co_return std::unexpected(exchanged.error().error);
      connection.reset();  // the next one is fresh, which is never retried
    }
  }

  EventLoop::Impl& loop_;
  OpenWaits waits_;
  Connector connector_;
  ConnectionPool idle_;
  std::list<Callback> active_;
};

HttpClient::HttpClient(EventLoop& loop) : impl_(std::make_shared<Impl>(loop)) {}
HttpClient::~HttpClient() { impl_->Close(); }

void HttpClient::Fetch(HttpRequest request, Callback done) {
  impl_->Start(std::move(request), std::move(done));
}

Result<HttpResponse> FetchOnce(HttpRequest request) {
  EventLoop loop;
  HttpClient client(loop);
  Result<HttpResponse> result = std::unexpected(CancelledError());
  client.Fetch(std::move(request), [&](Result<HttpResponse> got) {
    result = std::move(got);
    loop.Stop();
  });
  loop.Run();
  return result;
}

}  // namespace firstword::net
