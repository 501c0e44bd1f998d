#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "dialect/canonical_source.h"
#include "signals/fleet.h"
#include "signals/replica_rows.h"
#include "store/recent_scrapes.h"

namespace firstword::cases {

// The pages of one case, read as `watch` would read them. Times are the case's seconds.
class CaseRun {
 public:
  struct PageFile {
    double time = 0;
    std::string target;  // "" for cases with one target
    std::filesystem::path path;
  };

  // Fails when a page is missing, unsound or has no time in its name.
  [[nodiscard]] static Result<std::unique_ptr<CaseRun>> Load(const std::filesystem::path& folder,
                                                             const std::vector<std::string>& files,
                                                             const dialect::Registry& registry);

  // What the product says about a window.
  struct Look {
    std::vector<signals::TargetReport> reports;
    signals::FleetSummary fleet;
    signals::Headline headline;

    // The report of a target; of the only engine for "".
    [[nodiscard]] const signals::TargetReport* Report(const std::string& target) const;
    [[nodiscard]] const signals::Finding* Find(const std::string& code) const;
  };
  // Scrapes from `from` to `to`, both included. Stays valid until the run dies.
  const Look& LookAt(double from, double to);
  const Look& Whole() { return LookAt(times_.front(), times_.back()); }
  std::vector<signals::ReplicaRows> Rows();

  [[nodiscard]] const std::vector<double>& times() const { return times_; }
  // Named targets.
  [[nodiscard]] std::vector<std::string> targets() const;
  [[nodiscard]] bool HasTarget(const std::string& name) const;
  [[nodiscard]] static double SecondsOf(TimestampMs time);

 private:
  CaseRun(const dialect::Registry& registry, std::size_t rows)
      : scrapes_(rows), source_(scrapes_, registry) {}

  store::RecentScrapes scrapes_;
  dialect::CanonicalSource source_;
  std::vector<double> times_;
  std::vector<std::string> targets_;
  std::map<std::pair<double, double>, Look> looks_;
};

}  // namespace firstword::cases
