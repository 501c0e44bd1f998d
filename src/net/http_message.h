#pragma once

#include <string>
#include <utility>
#include <vector>

namespace firstword::net {

struct ServerRequest {
  std::string method;
  std::string target;  // path and query, as received
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

struct ServerResponse {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

}  // namespace firstword::net
