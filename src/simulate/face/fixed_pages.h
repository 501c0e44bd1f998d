#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "net/http_message.h"
#include "simulate/face/served_engine.h"

// Answers that need no engine step.

namespace firstword::simulate {

[[nodiscard]] net::ServerResponse EmptyPage(int status);
// {"detail": ...}: what the web framework says, not the API.
[[nodiscard]] net::ServerResponse DetailPage(int status, std::string_view detail);
[[nodiscard]] net::ServerResponse WrongMethodPage(std::string_view allowed);
[[nodiscard]] net::ServerResponse ApiErrorPage(int status, std::string_view message);
[[nodiscard]] net::ServerResponse ModelsPage(const ServedEngine& engine);
[[nodiscard]] net::ServerResponse VersionPage(std::string_view version);
[[nodiscard]] net::ServerResponse TokensPage(std::span<const std::uint32_t> tokens,
                                             std::uint32_t max_model_len);

// What the HTTP server refused or dropped, for a person.
[[nodiscard]] std::string ServerErrorMessage(int status, std::string_view reason);

}  // namespace firstword::simulate
