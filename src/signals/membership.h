#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "signals/report.h"

namespace firstword::signals {

// An engine replica among several reports, and whether it counts: one engine can be seen
// directly and once more through its gateway. (CanonicalSource has left out what repeats
// an address; here are the engines whose address the gateway hides.)
struct Member {
  enum class Role : std::uint8_t {
    kCounts,
    kRelayed,  // a gateway's copy of an engine that is scraped directly
    kGateway,  // a gateway's own sums of its engines
  };
  std::size_t report = 0;
  std::size_t replica = 0;
  Role role = Role::kCounts;
  std::size_t original = 0;  // the report it repeats, for kRelayed
};

// Gateways that rewrite ':' in metric names do it in label values as well: model names and
// addresses are compared in this form.
[[nodiscard]] std::string WithoutColons(std::string_view text);

[[nodiscard]] std::vector<Member> MembersOf(std::span<const TargetReport* const> reports);

}  // namespace firstword::signals
