#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "net/http_message.h"

namespace firstword::simulate {

// The value of the first header of that name, given in lower case; without blanks around it.
[[nodiscard]] std::optional<std::string_view> FindHeader(const net::ServerRequest& request,
                                                         std::string_view name);

// Fails when a body is not announced as JSON.
[[nodiscard]] Result<void> CheckContentType(const net::ServerRequest& request);

}  // namespace firstword::simulate
