#include "cli/watch/fleet_scraper.h"

#include <algorithm>
#include <utility>

namespace firstword::cli {

FleetScraper::FleetScraper(std::vector<ScrapeTarget> targets, HttpOptions options,
                           std::size_t max_rows, const Clock& clock)
    : options_(std::move(options)),
      max_rows_(max_rows),
      clock_(clock),
      store_(std::make_unique<store::RecentScrapes>(max_rows)),
      client_(loop_) {
  for (ScrapeTarget& target : targets) {
    statuses_.push_back({.name = target.name, .labels = target.labels, .error = {}});
    sources_.push_back({.target = std::move(target), .parser = exposition::PageParser()});
  }
}

void FleetScraper::StartRound() {
  const TimestampMs now = clock_.NowMs();
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    if (sources_[i].pending) continue;
    Result<net::HttpRequest> request = ScrapeRequest(sources_[i].target.url, options_);
    if (!request) {
      Settle(i, now, std::unexpected(request.error()));
      continue;
    }
    sources_[i].pending = true;
    ++pending_;
    client_.Fetch(std::move(*request), [this, i, now](Result<net::HttpResponse> response) {
      Receive(i, now, std::move(response));
    });
  }
}

void FleetScraper::RunFor(std::chrono::milliseconds limit) {
  constexpr std::chrono::milliseconds kSlice{5};
  const auto end = std::chrono::steady_clock::now() + limit;
  while (busy()) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return;
    loop_.RunFor(std::min(left, kSlice));
  }
}

void FleetScraper::Forget() { store_ = std::make_unique<store::RecentScrapes>(max_rows_); }

void FleetScraper::Receive(std::size_t index, TimestampMs time,
                           Result<net::HttpResponse> response) {
  sources_[index].pending = false;
  --pending_;
  Settle(index, time, Keep(sources_[index], time, response));
}

Result<void> FleetScraper::Keep(Source& source, TimestampMs time,
                                const Result<net::HttpResponse>& response) {
  if (!response) return std::unexpected(response.error());
  if (response->status < 200 || response->status > 299) {
    net::HttpRequest request;
    request.url = source.target.url;
    return std::unexpected(net::StatusError(request, *response));
  }
  const auto type = exposition::FormatFromContentType(response->content_type);
  if (auto parsed = source.parser.Parse(response->body, type.format); !parsed) {
    return Fail(parsed.error(), source.target.url.ToString());
  }
  store_->Append(source.target.labels, time, source.parser.page());
  return {};
}

void FleetScraper::Settle(std::size_t index, TimestampMs time, const Result<void>& outcome) {
  TargetStatus& status = statuses_[index];
  if (outcome) {
    status.last_success = time;
    status.error.clear();
    status.failing_since = 0;
    return;
  }
  store_->AppendFailure(status.labels, time);
  status.error = outcome.error().ToString();
  // The row names its target already; what went wrong needs the room.
  const std::string url = sources_[index].target.url.ToString() + ": ";
  if (status.error.starts_with(url)) status.error.erase(0, url.size());
  if (status.failing_since == 0) status.failing_since = time;
}

}  // namespace firstword::cli
