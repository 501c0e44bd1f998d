#include "net/http_exchange.h"

#include <fmt/format.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/http.hpp>
#include <optional>
#include <utility>

#include "net/client_request.h"
#include "net/gzip.h"

namespace firstword::net {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;

namespace {

constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);

using Parser = http::response_parser<http::buffer_body>;

std::unexpected<ExchangeFailure> Failed(Error error, bool retry = false) {
  return std::unexpected(ExchangeFailure{std::move(error), retry});
}

http::request<http::empty_body> ToMessage(const HttpRequest& request) {
  http::request<http::empty_body> message(http::verb::get, request.url.target, 11);
  message.method_string(request.method);
  for (const auto& [name, value] : HeadersOf(request)) message.set(name, value);
  return message;
}

HttpResponse HeadOf(const Parser& parser) {
  HttpResponse response;
  const auto& head = parser.get();
  response.status = static_cast<int>(head.result_int());
  response.content_type = head[http::field::content_type];
  for (const auto& field : head) response.headers.emplace_back(field.name_string(), field.value());
  return response;
}

// 100 (Continue), 103 (Early Hints) and the like announce the answer to come.
bool IsInterim(const Parser& parser) {
  const unsigned status = parser.get().result_int();
  return status >= 100 && status < 200 && status != 101;
}

// Takes body bytes as they come, unpacked where needed, and holds the limits.
class BodySink {
 public:
  BodySink(const HttpRequest& request, HttpResponse& response)
      : max_bytes_(request.max_body_bytes), response_(response) {}

  Result<void> SetEncoding(std::string_view encoding) {
    if (EqualsIgnoringCase(encoding, "gzip") || EqualsIgnoringCase(encoding, "x-gzip") ||
        EqualsIgnoringCase(encoding, "deflate")) {
      inflater_.emplace(max_bytes_);
    } else if (!encoding.empty() && !EqualsIgnoringCase(encoding, "identity")) {
      return Fail(ErrorCode::kUnavailable,
                  fmt::format("the answer is encoded as {}, which was not asked for", encoding),
                  "only gzip is understood");
    }
    return {};
  }

  Result<void> Add(std::string_view piece) {
    response_.wire_bytes += piece.size();
    if (response_.wire_bytes > max_bytes_) return std::unexpected(TooLargeError(max_bytes_));
    if (!inflater_) {
      response_.body.append(piece);
      return {};
    }
    Result<void> fed = inflater_->Feed(piece, &response_.body);
    if (!fed && fed.error().code == ErrorCode::kLimit) {
      return std::unexpected(TooLargeError(max_bytes_));
    }
    return fed;
  }

  [[nodiscard]] Result<void> Finish() const {
    return inflater_ && response_.wire_bytes > 0 ? inflater_->Finish() : Result<void>();
  }

 private:
  const std::size_t max_bytes_;
  HttpResponse& response_;
  std::optional<Inflater> inflater_;
};

template <typename Stream>
asio::awaitable<std::expected<Exchanged, ExchangeFailure>> ExchangeOn(Stream& stream,
                                                                      Connection& connection,
                                                                      const HttpRequest& request,
                                                                      Progress& progress) {
  // Sending something twice is harmless only where it asks for nothing but an answer.
  const bool may_retry = connection.reused && (request.method == "GET" || request.method == "HEAD");
  progress.phase = Phase::kSending;
  const http::request<http::empty_body> message = ToMessage(request);
  auto [send_error, sent] = co_await http::async_write(stream, message, kAwait);
  if (send_error == beast::error::timeout) {
    co_return Failed(TimeoutError(progress, request.timeout));
  }
  if (send_error) co_return Failed(SendError(send_error), may_retry);

  progress.phase = Phase::kWaiting;
  std::optional<Parser> parser;
  do {
    parser.emplace();
    parser->header_limit(kMaxHeaderBytes);
    parser->body_limit(boost::none);  // BodySink has it
    parser->skip(request.method == "HEAD");
    auto [error, parsed] =
        co_await http::async_read_header(stream, connection.buffer, *parser, kAwait);
    if (error) {
      progress.head_bytes = parsed + connection.buffer.size();
      const bool closed_before = progress.head_bytes == 0 && error != beast::error::timeout;
      co_return Failed(HeaderError(error, connection.buffer, progress, connection.tls.has_value(),
                                   request.timeout),
                       may_retry && closed_before);
    }
  } while (IsInterim(*parser));

  progress.phase = Phase::kReading;
  Exchanged result{HeadOf(*parser)};
  BodySink body(request, result.response);
  const beast::string_view encoding = parser->get()[http::field::content_encoding];
  if (auto known = body.SetEncoding({encoding.data(), encoding.size()}); !known) {
    co_return Failed(known.error());
  }
  char piece[32768];
  while (!parser->is_done()) {
    parser->get().body().data = piece;
    parser->get().body().size = sizeof(piece);
    auto [error, parsed] =
        co_await http::async_read_some(stream, connection.buffer, *parser, kAwait);
    const std::size_t got = sizeof(piece) - parser->get().body().size;
    if (auto added = body.Add({piece, got}); !added) co_return Failed(added.error());
    progress.body_bytes = result.response.wire_bytes;
    if (error == http::error::need_buffer) continue;
    if (error == beast::error::timeout) co_return Failed(TimeoutError(progress, request.timeout));
    if (error) {
      co_return Failed(
          BodyError(error, parser->content_length_remaining(), result.response.wire_bytes));
    }
  }
  if (auto whole = body.Finish(); !whole) co_return Failed(whole.error());
  // Bytes behind the answer belong to no request: such a connection is out of step.
  result.keep_alive = parser->keep_alive() && connection.buffer.size() == 0;
  co_return result;
}

}  // namespace

asio::awaitable<std::expected<Exchanged, ExchangeFailure>> Exchange(Connection& connection,
                                                                    const HttpRequest& request,
                                                                    Progress& progress) {
  return connection.tls ? ExchangeOn(*connection.tls, connection, request, progress)
                        : ExchangeOn(*connection.plain, connection, request, progress);
}

}  // namespace firstword::net
