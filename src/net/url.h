#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace firstword::net {

// An address to scrape. Written as http://host:port/path?query,
// https://..., or unix:///socket/path[:/http/path]; a bare host:port means http.
// Hosts may be names, IPv4, or IPv6 in brackets. A user:password@ in the URL
// becomes basic authentication and is never printed.
struct Url {
  std::string scheme;        // "http", "https" or "unix"
  std::string host;          // without brackets; empty for unix
  std::uint16_t port = 0;    // the scheme's default filled in
  std::string socket_path;   // unix only
  std::string target = "/";  // path and query, as sent
  std::string user;
  std::string password;

  // Without user and password.
  [[nodiscard]] std::string ToString() const;
  // "host:port", "[v6]:port" or the socket path: what a target is known by.
  [[nodiscard]] std::string Authority() const;
};

// Fails with kInvalid and a message that shows what was not understood.
[[nodiscard]] Result<Url> ParseUrl(std::string_view text);

// Resolves a Location header against the URL that answered it.
[[nodiscard]] Result<Url> ResolveReference(const Url& base, std::string_view location);

}  // namespace firstword::net
