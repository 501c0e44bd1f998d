#include "simulate/face/error_body.h"

#include <fmt/format.h>

#include "simulate/face/json_text.h"

namespace firstword::simulate {
namespace {

std::string_view TypeOf(int status) {
  switch (status) {
    case 404:
      return "NotFoundError";
    case 413:
      return "RequestTooLargeError";
    case 503:
      return "ServiceUnavailableError";
    default:
      return status < 500 ? "BadRequestError" : "InternalServerError";
  }
}

}  // namespace

std::string ErrorBody(int status, std::string_view message) {
  return fmt::format(R"({{"error":{{"message":{},"type":"{}","param":null,"code":{}}}}})",
                     JsonString(message), TypeOf(status), status);
}

int StatusOf(const Error& error) { return error.code == ErrorCode::kNotFound ? 404 : 400; }

}  // namespace firstword::simulate
