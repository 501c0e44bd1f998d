#include "net/client_errors.h"

#include <fmt/format.h>

#include <boost/asio/error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/http/error.hpp>
#include <string>

#include "net/tls.h"

namespace firstword::net {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using boost::system::error_code;

namespace {

std::string Seconds(std::chrono::milliseconds ms) {
  return ms.count() % 1000 == 0 ? fmt::format("{} s", ms.count() / 1000)
                                : fmt::format("{} ms", ms.count());
}

}  // namespace

Error CancelledError() { return {ErrorCode::kCancelled, "the request was cancelled", ""}; }

Error TimeoutError(const Progress& progress, std::chrono::milliseconds timeout) {
  const std::string within = Seconds(timeout);
  switch (progress.phase) {
    case Phase::kResolving:
      return {ErrorCode::kTimeout, fmt::format("the host name did not resolve within {}", within),
              "check the name server"};
    case Phase::kConnecting:
      return {ErrorCode::kTimeout, fmt::format("no connection within {}", within),
              "is the host up, and does a firewall drop the port?"};
    case Phase::kHandshake:
      return {ErrorCode::kTimeout, fmt::format("no TLS handshake within {}", within),
              "does the port speak TLS?"};
    case Phase::kSending:
    case Phase::kWaiting:
      if (progress.head_bytes > 0) {
        return {ErrorCode::kTimeout,
                fmt::format("the answer's headers were not complete within {}: {} bytes had come",
                            within, progress.head_bytes),
                "the server sends too slowly; is it an HTTP server?"};
      }
      return {ErrorCode::kTimeout, fmt::format("connected, but no answer within {}", within),
              "the server hangs or is overloaded; a longer --timeout may help"};
    case Phase::kReading:
      break;
  }
  return {ErrorCode::kTimeout,
          fmt::format("the answer was not complete within {}: {} bytes had come", within,
                      progress.body_bytes),
          "the server sends too slowly; a longer --timeout may help"};
}

Error ConnectError(const error_code& error) {
  if (error == asio::error::access_denied) {
    return {ErrorCode::kUnavailable, "permission denied",
            "may this user open the socket, and does a firewall allow it?"};
  }
  if (error == asio::error::connection_refused) {
    return {ErrorCode::kUnavailable, "connection refused",
            "is the server running, and is this its port?"};
  }
  if (error == boost::system::errc::no_such_file_or_directory) {
    return {ErrorCode::kUnavailable, "no such socket",
            "is the server running, and is this its socket?"};
  }
  return {ErrorCode::kUnavailable, error.message(), "check the address and the network"};
}

Error SendError(const error_code& error) {
  return {ErrorCode::kUnavailable, fmt::format("the connection broke: {}", error.message()),
          "the server closed it while the request was sent"};
}

Error TooLargeError(std::size_t max_body_bytes) {
  return {ErrorCode::kLimit, fmt::format("the answer is larger than {} bytes", max_body_bytes),
          "no metrics page should be; if this one is, raise --max-body"};
}

Error HeaderError(const error_code& error, const boost::beast::flat_buffer& buffer,
                  const Progress& progress, bool tls, std::chrono::milliseconds timeout) {
  if (error == beast::error::timeout) return TimeoutError(progress, timeout);
  const auto* bytes = static_cast<const unsigned char*>(buffer.data().data());
  if (buffer.size() >= 2 && (bytes[0] == 0x15 || bytes[0] == 0x16) && bytes[1] == 0x03) {
    return {ErrorCode::kUnavailable, "the server answers in TLS",
            "use https:// instead of http://"};
  }
  if (error == http::error::end_of_stream || error == asio::error::eof ||
      error == asio::error::connection_reset || error == asio::ssl::error::stream_truncated) {
    return {
        ErrorCode::kUnavailable, "the server closed the connection without an answer",
        tls ? "does the port speak HTTP?" : "does the port speak HTTP? If it is TLS, use https://"};
  }
  // With TLS 1.3 a server refuses our certificate only after the handshake.
  if (error.category() == asio::error::get_ssl_category()) {
    return DescribeTlsFailure(error, X509_V_OK);
  }
  if (error == http::error::header_limit) {
    return {ErrorCode::kLimit,
            fmt::format("the answer's headers are larger than {} bytes", kMaxHeaderBytes),
            "is this an HTTP server?"};
  }
  if (error.category() == make_error_code(http::error::bad_version).category()) {
    return {ErrorCode::kUnavailable, fmt::format("the answer is not HTTP: {}", error.message()),
            "is this the right port?"};
  }
  return {ErrorCode::kUnavailable, fmt::format("the connection broke: {}", error.message()),
          "try again; look at the server's log if it stays"};
}

Error BodyError(const error_code& error, const boost::optional<std::uint64_t>& remaining,
                std::size_t got) {
  if (error == http::error::partial_message || error == asio::error::eof ||
      error == asio::error::connection_reset || error == asio::ssl::error::stream_truncated) {
    const std::string of = remaining ? fmt::format(" of {}", got + *remaining) : std::string();
    return {ErrorCode::kUnavailable,
            fmt::format("the connection ended after {}{} bytes of the answer", got, of),
            "the server or a proxy cut it; try again"};
  }
  return {ErrorCode::kUnavailable,
          fmt::format("the answer is broken after {} bytes: {}", got, error.message()),
          "the server or a proxy sends broken chunks"};
}

}  // namespace firstword::net
