#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/inspect/page_source.h"
#include "dialect/registry.h"
#include "exposition/parser.h"
#include "signals/fleet.h"
#include "signals/report.h"

namespace firstword::cli {

// A page fetched at a moment.
struct Scrape {
  TimestampMs time = 0;
  FetchedPage page;
};

// All that `inspect` says about one target, however it is printed.
struct Inspection {
  std::string name;
  signals::TargetReport report;
  signals::Headline headline;
  std::size_t scrapes = 1;
  double window_seconds = 0;  // between the two scrapes

  // The newest page as a text.
  std::size_t series = 0;
  std::vector<exposition::Fault> faults;  // the first ones
  std::size_t fault_count = 0;
  std::size_t duplicates = 0;
  bool complete = true;
  std::string odd_content_type;
  // Beginnings of the metric names, most frequent first: what an unknown page is about.
  std::vector<std::string> prefixes;
};

struct InspectionOptions {
  exposition::Mode mode = exposition::Mode::kTolerant;
  std::size_t max_faults = 100;
  signals::ReportOptions report;
};

// `scrapes` are of one target, oldest first. The result points into `registry`.
[[nodiscard]] Result<Inspection> Inspect(std::span<const Scrape> scrapes,
                                         const dialect::Registry& registry,
                                         const InspectionOptions& options);

}  // namespace firstword::cli
