#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace firstword {

// What kind of failure it was, for callers that decide by it (retry, exit
// code, HTTP status). The message is for people.
enum class ErrorCode : std::uint8_t {
  kInvalid,      // the user's input or configuration is wrong
  kParse,        // outside bytes are not what they claim to be
  kNotFound,     // no such file, host name, signal
  kIo,           // a file or socket operation failed
  kUnavailable,  // nobody answers, or the peer refuses (connection refused, TLS, 4xx, 5xx)
  kTimeout,
  kLimit,  // a bound that protects us was reached
  kCancelled,
};

// A failure that a person can act on. `message` says what happened and where;
// `hint`, when not empty, says what to try.
struct Error {
  ErrorCode code = ErrorCode::kInvalid;
  std::string message;
  std::string hint;

  // "message (hint)", on one line.
  [[nodiscard]] std::string ToString() const;
};

template <typename T>
using Result = std::expected<T, Error>;

[[nodiscard]] std::unexpected<Error> Fail(ErrorCode code, std::string message,
                                          std::string hint = {});

// Passes `cause` on with one level of context in front: "context: message".
[[nodiscard]] std::unexpected<Error> Fail(const Error& cause, std::string_view context);

}  // namespace firstword
