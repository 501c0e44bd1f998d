#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "signals/page_view.h"

namespace firstword::signals {

using Findings = std::vector<Finding>;

[[nodiscard]] Finding Warning(std::string text, std::string_view signal = {},
                              std::vector<std::string> series = {});
[[nodiscard]] Finding Info(std::string text, std::string_view signal = {},
                           std::vector<std::string> series = {});

// Checks that hold for every engine. Each has one code, in the one table of
// check_table.cc; docs/findings.md says what it means and what to do.
//
// A check answers with nothing, or with one finding a replica or series it is about;
// the code is filled in from the table.
using PageCheck = Findings (*)(const PageView& page, const ReportOptions& options);

struct NamedCheck {
  std::string_view code;
  PageCheck check;
};

// About one page.
[[nodiscard]] std::span<const NamedCheck> PageChecks();

// About pages that were read together; the finding goes to the page it is returned for.
struct PageFinding {
  std::size_t page = 0;
  Finding finding;
};
using FleetCheck = std::vector<PageFinding> (*)(std::span<const PageView> pages,
                                                const ReportOptions& options);
struct NamedFleetCheck {
  std::string_view code;
  FleetCheck check;
};
[[nodiscard]] std::span<const NamedFleetCheck> FleetChecks();

// A check that a dialect's fault names by `check:`; the text gives the numbers seen,
// nullopt means no.
using FaultCheck = std::optional<std::string> (*)(const PageView& page,
                                                  const dialect::KnownFault& fault);
struct NamedFaultCheck {
  std::string_view name;
  FaultCheck check;
};
[[nodiscard]] std::span<const NamedFaultCheck> FaultChecks();
[[nodiscard]] bool IsFaultCheck(std::string_view name);

// The known faults of the page's dialects that apply to it. A fault whose check is at
// the same time a page check that has spoken in `found` only lends it its source.
void AddKnownFaults(const PageView& page, Findings& found);

// Findings about all targets together, made by Summarize().
inline constexpr std::string_view kKvUsageUneven = "kv_usage_uneven";
inline constexpr std::string_view kSlowReplica = "slow_replica";

// Codes that the program itself may report, in table order.
[[nodiscard]] std::vector<std::string_view> FindingCodes();

}  // namespace firstword::signals
