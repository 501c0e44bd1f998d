#include "base/result.h"

#include <utility>

namespace firstword {

std::string Error::ToString() const {
  if (hint.empty()) return message;
  return message + " (" + hint + ")";
}

std::unexpected<Error> Fail(ErrorCode code, std::string message, std::string hint) {
  return std::unexpected(Error{code, std::move(message), std::move(hint)});
}

std::unexpected<Error> Fail(const Error& cause, std::string_view context) {
  std::string message(context);
  message += ": ";
  message += cause.message;
  return std::unexpected(Error{cause.code, std::move(message), cause.hint});
}

}  // namespace firstword
