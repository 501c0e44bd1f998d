#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/time.h"
#include "cli/options/http_options.h"
#include "exposition/parser.h"
#include "net/event_loop.h"
#include "net/http_client.h"
#include "store/recent_scrapes.h"

namespace firstword::cli {

// How it went with one target so far.
struct TargetStatus {
  std::string name;
  promql::Labels labels;
  TimestampMs last_success = 0;   // 0: never yet
  std::string error;              // of the last scrape; empty: it went well
  TimestampMs failing_since = 0;  // 0: not failing
};

// Scrapes a handful of targets, round by round, on one event loop, and keeps their last
// rows. One thread uses it.
class FleetScraper {
 public:
  // The clock must outlive this.
  FleetScraper(std::vector<ScrapeTarget> targets, HttpOptions options, std::size_t max_rows,
               const Clock& clock);

  // Asks every target that does not still owe its last answer.
  void StartRound();
  [[nodiscard]] bool busy() const { return pending_ > 0; }
  // Lets the sockets work for at most `limit`; returns early once nothing is pending.
  void RunFor(std::chrono::milliseconds limit);

  [[nodiscard]] std::span<const TargetStatus> targets() const { return statuses_; }
  [[nodiscard]] store::RecentScrapes& store() { return *store_; }
  // Forgets all rows, as if watch began now.
  void Forget();

 private:
  struct Source {
    ScrapeTarget target;
    exposition::PageParser parser;
    bool pending = false;
  };

  void Receive(std::size_t index, TimestampMs time, Result<net::HttpResponse> response);
  [[nodiscard]] Result<void> Keep(Source& source, TimestampMs time,
                                  const Result<net::HttpResponse>& response);
  void Settle(std::size_t index, TimestampMs time, const Result<void>& outcome);

  const HttpOptions options_;
  const std::size_t max_rows_;
  const Clock& clock_;
  std::vector<Source> sources_;
  std::vector<TargetStatus> statuses_;
  std::unique_ptr<store::RecentScrapes> store_;
  std::size_t pending_ = 0;
  net::EventLoop loop_;
  net::HttpClient client_;  // last: its outstanding callbacks end before the rest goes
};

}  // namespace firstword::cli
