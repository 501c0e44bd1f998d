#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/http_client.h"

// What HttpClient does with a request before it is sent. Private to net.

namespace firstword::net {

// Refuses what could not be sent as one clean request: header injection by line breaks,
// names that are no header names, values beyond any server's limit. kInvalid.
[[nodiscard]] Result<void> CheckRequest(const HttpRequest& request);

// Host, User-Agent, Accept-Encoding, Authorization and the request's own, which win.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> HeadersOf(
    const HttpRequest& request);

// Requests with the same key may share a connection.
[[nodiscard]] std::string ConnectionKey(const HttpRequest& request);

// Points `request` to where `location` sends it. What identifies us to the first origin
// (credentials, client certificate, headers of the user's) does not go to another one.
[[nodiscard]] Result<void> Redirect(std::string_view location, HttpRequest& request);

[[nodiscard]] bool EqualsIgnoringCase(std::string_view a, std::string_view b);

}  // namespace firstword::net
