#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace firstword::simulate {

// {"error": {...}} as the real server words it: the type belongs to the status.
[[nodiscard]] std::string ErrorBody(int status, std::string_view message);

// What a request that could not be read gets: 404 for kNotFound, else 400.
[[nodiscard]] int StatusOf(const Error& error);

}  // namespace firstword::simulate
