#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace firstword::signals {

// Something about a page that a careful reader should know before trusting it.
// The codes stand in one table in check_table.cc, the further checks that a dialect's
// fault may name in findings_faults.cc; docs/findings.md explains both.
struct Finding {
  enum class Severity : std::uint8_t { kWarning, kInfo };
  std::string code;  // snake_case and stable: scripts read it; docs/findings.md lists all
  Severity severity = Severity::kInfo;
  std::string text;                 // one or two sentences with the numbers they rest on
  std::vector<std::string> series;  // raw or canonical names it is about
  std::string signal;               // the canonical signal it makes doubtful; may be empty
  std::string source;               // where the fault is reported; may be empty
};

}  // namespace firstword::signals
