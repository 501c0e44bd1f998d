#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/scripted_server.h"

namespace firstword {

// A whole answer with status 200.
[[nodiscard]] std::string Answer(std::string_view body, std::string_view headers = "");
// Answers every request with `bytes`.
[[nodiscard]] support::ScriptedServer::Script Says(std::string bytes);

// A way in which a server, or what it serves, can be bad.
struct Fault {
  std::string name;
  support::ScriptedServer::Script script;
  std::string message;  // a part of what firstword must say of it
};

// Limits under which every fault shows within a moment.
inline const std::vector<std::string> kFaultFlags = {"--max-body", "1MiB", "--timeout", "1s"};

[[nodiscard]] std::vector<Fault> Faults();

}  // namespace firstword
