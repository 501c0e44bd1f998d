#include "net/url.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <optional>

namespace firstword::net {
namespace {

std::unexpected<Error> Bad(std::string_view text, std::string_view why) {
  // A URL may carry a password, and one with an '@' in it; show nothing before the last '@'.
  const std::size_t at = text.rfind('@');
  std::string shown(at == std::string_view::npos ? text : text.substr(at + 1));
  shown.resize(std::min<std::size_t>(shown.size(), 200));
  // It may come from a server or a broken list: keep it on one line and off the terminal.
  std::replace_if(
      shown.begin(), shown.end(), [](unsigned char c) { return c < 0x20 || c > 0x7e; }, '?');
  return Fail(ErrorCode::kInvalid, fmt::format("bad URL \"{}\": {}", shown, why),
              "write http://host:port/metrics, https://..., or unix:///path/to/socket:/metrics");
}

// Nothing that could end a request line or a header.
Result<void> CheckBytes(std::string_view text) {
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (u <= 0x20 || u == 0x7f) {
      return Bad(text, "it has a blank or control character; write it as %20");
    }
    if (u > 0x7f) return Bad(text, "it has a character outside ASCII; write its bytes as %C3%A4");
  }
  return {};
}

std::optional<std::string> PercentDecode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    unsigned byte = 0;
    if (i + 2 >= text.size()) return std::nullopt;
    const auto [stop, error] = std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16);
    if (error != std::errc{} || stop != text.data() + i + 3) return std::nullopt;
    out += static_cast<char>(byte);
    i += 2;
  }
  return out;
}

bool IsHostChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '_';
}

// An IPv6 address, with or without %interface.
bool IsV6(const std::string& host) {
  const std::size_t zone = host.find('%');
  in6_addr address{};
  return inet_pton(AF_INET6, host.substr(0, zone).c_str(), &address) == 1 &&
         (zone == std::string::npos ||
          (zone + 1 < host.size() &&
           std::all_of(host.begin() + static_cast<std::ptrdiff_t>(zone) + 1, host.end(),
                       IsHostChar)));
}

// Where "://" ends the scheme; one further on belongs to a query or a password.
std::size_t SchemeEnd(std::string_view text) {
  const std::size_t end = text.find("://");
  return end < text.find_first_of("/?#@") ? end : std::string_view::npos;
}

Result<Url> ParseUnix(std::string_view text, std::string_view rest) {
  Url url;
  url.scheme = "unix";
  const std::size_t colon = rest.find(':');
  url.socket_path = rest.substr(0, colon);
  if (colon != std::string_view::npos) url.target = rest.substr(colon + 1);
  if (!url.socket_path.starts_with('/')) return Bad(text, "a unix socket needs an absolute path");
  // sockaddr_un holds 108 bytes with the closing zero.
  if (url.socket_path.size() > 107) return Bad(text, "the socket path is longer than 107 bytes");
  if (!url.target.starts_with('/'))
    return Bad(text, "the path behind the socket must begin with '/'");
  return url;
}

Result<Url> ToNetwork(Result<Url> redirect) {
  if (redirect && redirect->scheme == "unix") {
    return Fail(ErrorCode::kUnavailable,
                "redirect to a unix socket, which a server may not ask for");
  }
  return redirect;
}

// authority = [user[:password]@]host[:port]
Result<void> ParseAuthority(std::string_view text, std::string_view authority, Url* url) {
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    const std::string_view credentials = authority.substr(0, at);
    authority.remove_prefix(at + 1);
    const std::size_t colon = credentials.find(':');
    std::optional<std::string> user = PercentDecode(credentials.substr(0, colon));
    std::optional<std::string> password = colon == std::string_view::npos
                                              ? std::string()
                                              : PercentDecode(credentials.substr(colon + 1));
    if (!user || !password) return Bad(text, "broken %-escape in the user or password");
    url->user = *std::move(user);
    url->password = *std::move(password);
  }
  std::string_view port;
  if (authority.starts_with('[')) {
    const std::size_t close = authority.find(']');
    if (close == std::string_view::npos)
      return Bad(text, "the '[' of the IPv6 address is never closed");
    url->host = authority.substr(1, close - 1);
    if (!IsV6(url->host)) return Bad(text, "what stands in [ ] is not an IPv6 address");
    const std::string_view behind = authority.substr(close + 1);
    if (!behind.empty() && behind.front() != ':') return Bad(text, "expected ':port' after ']'");
    if (!behind.empty()) port = behind.substr(1);
    if (!behind.empty() && port.empty()) return Bad(text, "the port is missing after ':'");
  } else {
    const std::size_t colon = authority.find(':');
    if (colon != authority.rfind(':')) return Bad(text, "an IPv6 address must stand in [ ]");
    url->host = authority.substr(0, colon);
    if (colon != std::string_view::npos) {
      port = authority.substr(colon + 1);
      if (port.empty()) return Bad(text, "the port is missing after ':'");
    }
    if (!std::all_of(url->host.begin(), url->host.end(), IsHostChar)) {
      return Bad(text, "the host has a character that no host name has");
    }
  }
  if (url->host.empty()) return Bad(text, "the host is missing");
  url->port = url->scheme == "https" ? 443 : 80;
  if (!port.empty()) {
    const auto [stop, error] = std::from_chars(port.data(), port.data() + port.size(), url->port);
    if (error != std::errc{} || stop != port.data() + port.size() || url->port == 0) {
      // What looks like a port may be the beginning of a password.
      if (std::string_view(port.data(), text.end()).find('@') != std::string_view::npos) {
        return Bad(text, "write a '/', '?' or '#' in the user or password as %2F, %3F or %23");
      }
      return Bad(text, fmt::format("\"{}\" is no port (1 to 65535)", port));
    }
  }
  return {};
}

}  // namespace

Result<Url> ParseUrl(std::string_view text) {
  if (text.empty()) return Bad(text, "it is empty");
  if (Result<void> ok = CheckBytes(text); !ok) return std::unexpected(ok.error());
  if (text.size() > 8192) return Bad(text, "it is longer than 8192 bytes");
  Url url;
  std::string_view rest = text;
  const std::size_t scheme_end = SchemeEnd(text);
  if (scheme_end == std::string_view::npos) {
    url.scheme = "http";
  } else {
    for (const char c : text.substr(0, scheme_end)) {
      url.scheme += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    rest = text.substr(scheme_end + 3);
  }
  if (url.scheme == "unix") return ParseUnix(text, rest);
  if (url.scheme != "http" && url.scheme != "https") {
    return Bad(text, fmt::format("scheme \"{}\" is none of http, https, unix", url.scheme));
  }
  rest = rest.substr(0, rest.find('#'));
  const std::size_t slash = rest.find_first_of("/?");
  if (Result<void> ok = ParseAuthority(text, rest.substr(0, slash), &url); !ok) {
    return std::unexpected(ok.error());
  }
  if (slash != std::string_view::npos) {
    url.target = rest.substr(slash);
    if (url.target.front() == '?') url.target.insert(0, "/");
  }
  return url;
}

std::string Url::Authority() const {
  if (scheme == "unix") return socket_path;
  return host.find(':') != std::string::npos ? fmt::format("[{}]:{}", host, port)
                                             : fmt::format("{}:{}", host, port);
}

std::string Url::ToString() const {
  if (scheme == "unix") return fmt::format("unix://{}:{}", socket_path, target);
  const bool standard = port == (scheme == "https" ? 443 : 80);
  std::string shown = host.find(':') != std::string::npos ? fmt::format("[{}]", host) : host;
  if (!standard) shown += fmt::format(":{}", port);
  return fmt::format("{}://{}{}", scheme, shown, target);
}

Result<Url> ResolveReference(const Url& base, std::string_view location) {
  if (location.empty()) return Fail(ErrorCode::kUnavailable, "redirect without a Location");
  if (SchemeEnd(location) != std::string_view::npos) {
    return ToNetwork(ParseUrl(location));
  }
  if (Result<void> ok = CheckBytes(location); !ok) return std::unexpected(ok.error());
  Url url = base;
  location = location.substr(0, location.find('#'));
  if (location.starts_with("//")) {
    return ToNetwork(ParseUrl(fmt::format("{}:{}", base.scheme, location)));
  }
  if (location.starts_with('/')) {
    url.target = location;
  } else {
    const std::string_view path = std::string_view(base.target).substr(0, base.target.find('?'));
    const std::string_view folder =
        location.starts_with('?') ? path : path.substr(0, path.rfind('/') + 1);
    url.target = fmt::format("{}{}", folder, location);
  }
  return url;
}

}  // namespace firstword::net
