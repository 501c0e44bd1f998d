#pragma once

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/optional.hpp>
#include <boost/system/error_code.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "base/result.h"

// What HttpClient says when a request fails: one line and what to do. Private to net.

namespace firstword::net {

inline constexpr std::size_t kMaxHeaderBytes = 64u << 10;

// What the request is doing, for the message when its time runs out.
enum class Phase { kResolving, kConnecting, kHandshake, kSending, kWaiting, kReading };

struct Progress {
  Phase phase = Phase::kResolving;
  std::size_t head_bytes = 0;
  std::size_t body_bytes = 0;
};

[[nodiscard]] Error CancelledError();
[[nodiscard]] Error TimeoutError(const Progress& progress, std::chrono::milliseconds timeout);
[[nodiscard]] Error ConnectError(const boost::system::error_code& error);
[[nodiscard]] Error SendError(const boost::system::error_code& error);
[[nodiscard]] Error TooLargeError(std::size_t max_body_bytes);
// `buffer` holds what came of the answer's head.
[[nodiscard]] Error HeaderError(const boost::system::error_code& error,
                                const boost::beast::flat_buffer& buffer, const Progress& progress,
                                bool tls, std::chrono::milliseconds timeout);
// The body broke off after `got` bytes; `remaining` of the announced ones, if any were.
[[nodiscard]] Error BodyError(const boost::system::error_code& error,
                              const boost::optional<std::uint64_t>& remaining, std::size_t got);

}  // namespace firstword::net
