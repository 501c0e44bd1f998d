#include "cli/watch/watch_session.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <utility>

namespace firstword::cli {
namespace {

constexpr std::size_t kMaxRows = 300;
constexpr std::size_t kHistoryPoints = 240;

// Rates need two rows of the window, even where one scrape is late.
std::chrono::milliseconds EffectiveWindow(const WatchOptions& options) {
  return std::max(options.window, options.interval * 3 / 2 + std::chrono::seconds(1));
}

std::size_t RowsFor(const WatchOptions& options) {
  if (options.interval.count() == 0) return 2;
  const auto rows = EffectiveWindow(options) / options.interval + 2;
  return std::clamp<std::size_t>(static_cast<std::size_t>(rows), 2, kMaxRows);
}

std::string ClockText(TimestampMs time) {
  const std::time_t seconds = static_cast<std::time_t>(time / 1000);
  std::tm local{};
  localtime_r(&seconds, &local);
  char text[16];
  const std::size_t length = std::strftime(text, sizeof(text), "%H:%M:%S", &local);
  return {text, length};
}

double Seconds(std::chrono::milliseconds duration) {
  return std::chrono::duration<double>(duration).count();
}

Result<void> Validate(const WatchOptions& options) {
  const auto fail = [](std::string message, std::string hint = {}) {
    return Fail(ErrorCode::kInvalid, std::move(message), std::move(hint));
  };
  if (options.urls.empty()) {
    return fail("no URL given", "for example: firstword watch http://localhost:8000");
  }
  if (options.interval.count() == 0 && !options.once) {
    return fail("--interval 0 means a single scrape", "add --once");
  }
  if (options.interval.count() != 0 && options.interval.count() < 100) {
    return fail("--interval must be at least 100ms");
  }
  if (options.window.count() == 0) return fail("--window must be above zero");
  if (options.once && options.count > 0) return fail("--once and --count exclude each other");
  return {};
}

std::string NameWithPath(const net::Url& url) {
  std::string text = url.ToString();
  const std::size_t scheme = text.find("://");
  return scheme == std::string::npos ? text : text.substr(scheme + 3);
}

}  // namespace

Result<std::vector<ScrapeTarget>> ParseTargets(std::span<const std::string> urls,
                                               std::string_view job) {
  std::vector<ScrapeTarget> targets;
  for (const std::string& url : urls) {
    std::error_code ignored;
    if (url.find("://") == std::string::npos && std::filesystem::exists(url, ignored)) {
      return Fail(ErrorCode::kInvalid, url + ": is a file, and watch needs a server",
                  "firstword inspect reads files");
    }
    Result<ScrapeTarget> target = ParseTarget(url, job);
    if (!target) return std::unexpected(target.error());
    targets.push_back(std::move(*target));
  }
  for (ScrapeTarget& target : targets) {
    const auto same = std::count_if(targets.begin(), targets.end(), [&](const ScrapeTarget& one) {
      return one.url.Authority() == target.url.Authority();
    });
    if (same > 1) target.name = NameWithPath(target.url);
    target.labels.Set("instance", target.name);
  }
  for (std::size_t i = 0; i < targets.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (targets[i].name == targets[j].name) {
        return Fail(ErrorCode::kInvalid, targets[i].name + " is given twice");
      }
    }
  }
  return targets;
}

Result<std::unique_ptr<WatchSession>> WatchSession::Open(WatchOptions options, const Clock& clock) {
  if (auto valid = Validate(options); !valid) return std::unexpected(valid.error());
  Result<std::vector<ScrapeTarget>> targets = ParseTargets(options.urls, "watch");
  if (!targets) return std::unexpected(targets.error());
  // A fault of the options shows now and not once a scrape and target.
  if (auto request = ScrapeRequest(targets->front().url, options.http); !request) {
    return std::unexpected(request.error());
  }
  Result<dialect::Registry> registry = options.reading.LoadDialects();
  if (!registry) return std::unexpected(registry.error());
  return std::unique_ptr<WatchSession>(
      new WatchSession(std::move(options), std::move(*registry), std::move(*targets), clock));
}

WatchSession::WatchSession(WatchOptions options, dialect::Registry registry,
                           std::vector<ScrapeTarget> targets, const Clock& clock)
    : options_(std::move(options)),
      registry_(std::move(registry)),
      clock_(clock),
      window_(EffectiveWindow(options_)),
      scraper_(std::move(targets), options_.http, RowsFor(options_), clock),
      history_(kHistoryPoints) {}

Result<FleetView> WatchSession::Look() {
  const TimestampMs now = clock_.NowMs();
  dialect::CanonicalSource source(scraper_.store(), registry_);
  Result<std::vector<signals::TargetReport>> reports =
      signals::Examine(source, {now - window_.count(), now}, options_.reading.report());
  if (!reports) return std::unexpected(reports.error());

  FleetView view = MakeFleetView({.targets = scraper_.targets(),
                                  .reports = std::move(*reports),
                                  .now = now,
                                  .options = options_.reading.report()});
  view.time_text = ClockText(now);
  view.interval_seconds = Seconds(options_.interval);
  view.window_seconds = Seconds(window_);
  for (auto* rows : {&view.replicas, &view.gateways}) {
    for (FleetRow& row : *rows) {
      history_.Append(row.id, row.waiting);
      row.waiting_history = history_.Of(row.id);
    }
  }
  return view;
}

void WatchSession::Forget() {
  scraper_.Forget();
  history_.Clear();
}

}  // namespace firstword::cli
