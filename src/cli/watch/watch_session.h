#pragma once

#include <memory>

#include "base/time.h"
#include "cli/watch/fleet_scraper.h"
#include "cli/watch/fleet_view.h"
#include "cli/watch/watch_options.h"
#include "dialect/canonical_source.h"

namespace firstword::cli {

// What a running watch keeps: the targets' last rows, the dialects to read them with,
// and the curves.
class WatchSession {
 public:
  // Checks the options and reads the dialects; asks nobody yet. The clock must outlive it.
  [[nodiscard]] static Result<std::unique_ptr<WatchSession>> Open(WatchOptions options,
                                                                  const Clock& clock);

  [[nodiscard]] FleetScraper& scraper() { return scraper_; }
  [[nodiscard]] const WatchOptions& options() const { return options_; }

  // The fleet as its rows of the window tell it now. Adds a point to the curves.
  [[nodiscard]] Result<FleetView> Look();
  void Forget();

 private:
  WatchSession(WatchOptions options, dialect::Registry registry, std::vector<ScrapeTarget> targets,
               const Clock& clock);

  const WatchOptions options_;
  const dialect::Registry registry_;
  const Clock& clock_;
  const std::chrono::milliseconds window_;
  FleetScraper scraper_;
  WaitingHistory history_;
};

// host:port is what a target is called, unless two have the same; then path and all.
[[nodiscard]] Result<std::vector<ScrapeTarget>> ParseTargets(std::span<const std::string> urls,
                                                             std::string_view job);

}  // namespace firstword::cli
