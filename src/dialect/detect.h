#pragma once

#include <span>
#include <string>
#include <vector>

#include "dialect/registry.h"
#include "promql/source.h"

namespace firstword::dialect {

// What one dialect recognised on a page.
struct Detection {
  const Dialect* dialect = nullptr;
  const Flavour* flavour = nullptr;  // null: none of the named ones
  std::string prefix;                // the spelling of '~' that was seen; "" if none
  VersionRange versions;
  // Why: "vllm:request_num_preemptions_count is there since 0.30.0", one a line,
  // the deciding ones first.
  std::vector<std::string> evidence;
};

// Recognises a page by its series (raw names and labels). Most important first:
// engines, then gateways, then GPU exporters, each by precedence. Empty: unknown.
[[nodiscard]] std::vector<Detection> Detect(const Registry& registry,
                                            std::span<const promql::SharedLabels> series);

}  // namespace firstword::dialect
