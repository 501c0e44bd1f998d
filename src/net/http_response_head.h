#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace firstword::net {

// How the client knows where the body ends.
enum class BodyEnd { kLength, kChunks, kConnection };

struct ResponseHead {
  int status = 200;
  std::string_view content_type;  // none when empty
  const std::vector<std::pair<std::string, std::string>>& headers;
  BodyEnd body_end = BodyEnd::kLength;
  std::size_t length = 0;  // of the body, with kLength
  bool http_1_0 = false;
  bool keep_alive = true;
};

// False for the statuses whose answers consist of their head.
[[nodiscard]] bool MayHaveBody(int status);

// The head as it is sent, with the blank line. Of `headers` it leaves out those that would
// contradict how the body is sent, and makes blanks of line breaks: no value can end the head.
// A Content-Type or Server among them wins. Private to net.
[[nodiscard]] std::string Format(const ResponseHead& head);

}  // namespace firstword::net
