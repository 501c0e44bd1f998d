#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "signals/fleet.h"
#include "signals/words.h"

namespace firstword::signals {
namespace {

using State = Headline::State;

constexpr std::string_view kUsersAreWaiting = "users are waiting: ";

// The figures a first look at one target rests on.
struct Load {
  std::optional<double> queued;  // waiting for capacity; deferred requests are not
  std::optional<double> deferred;
  std::optional<double> first_tokens_per_second;
  const Histogram* ttft = nullptr;
  std::string_view ttft_name = "TTFT";
  bool lifetime = false;  // ttft is of the whole life, not of the window
};

void Accumulate(std::optional<double>& sum, double value) { sum = sum.value_or(0) + value; }

void AddQueue(const ReplicaSignals& replica, std::string_view family, Load& load) {
  double deferred = 0;
  double capacity = 0;
  if (const SignalValue* reasons = replica.Find("llm:requests_waiting_by_reason")) {
    for (const LabelledValue& one : reasons->by) {
      if (one.labels.Get("reason") == "deferred") deferred += one.value.value_or(0);
      if (one.labels.Get("reason") == "capacity") capacity += one.value.value_or(0);
    }
  }
  if (deferred > 0) Accumulate(load.deferred, deferred);
  const SignalValue* waiting = replica.Find(std::string(family) + ":requests_waiting");
  if (waiting != nullptr && waiting->value) {
    // Where total and reasons disagree, the greater queue is believed.
    Accumulate(load.queued, std::max(capacity, *waiting->value - deferred));
  }
}

// Who measures how long users waited: TTFT, or where it is not exported the queue time.
void AddLatency(const ReplicaSignals& replica, std::string_view family, Histogram& sum,
                Load& load) {
  const SignalValue* value = replica.Find(std::string(family) + ":ttft_seconds");
  if (value == nullptr || !value->histogram) {
    value = replica.Find(std::string(family) + ":queue_seconds");
    if (value == nullptr || !value->histogram) return;
    load.ttft_name = "queue time";
  }
  sum.Add(*value->histogram);
  load.ttft = &sum;
  load.lifetime = load.lifetime || value->lifetime;
  const double seconds = static_cast<double>(replica.until - replica.from) / 1000;
  if (!value->lifetime && seconds > 0) {
    Accumulate(load.first_tokens_per_second, value->histogram->count().value_or(0) / seconds);
  }
}

// What the measured latency says about the promise.
struct Tail {
  bool missed = false;
  bool kept = false;        // neither: the promise lies inside the bucket
  bool some_above = false;  // at least one request waited longer than promised
  std::string text;
};

// Of fewer than 100 requests p99 is the slowest one, an outlier: only several of them,
// and a good part of all, prove that the promise is missed.
Tail JudgeFew(const Load& load, double count, double slo) {
  constexpr double kSeveral = 5;
  constexpr double kGoodPart = 0.1;
  const double above = load.ttft->CountAbove(slo).value_or(Interval{}).lower;
  Tail tail;
  tail.missed = above >= kSeveral && above >= kGoodPart * count;
  tail.kept = !tail.missed;
  tail.some_above = above > 0;
  tail.text = tail.missed ? fmt::format("{} of {} had a {} above {}", Number(above),
                                        Count(count, "request"), load.ttft_name, Seconds(slo))
                          : fmt::format("only {}, the slowest {} {}", Count(count, "request"),
                                        load.ttft_name, Range(*load.ttft->Quantile(1)));
  return tail;
}

std::optional<Tail> JudgeTail(const Load& load, double slo) {
  const auto p99 = load.ttft == nullptr ? std::nullopt : load.ttft->Quantile(0.99);
  if (!p99) return std::nullopt;
  const double count = load.ttft->count().value_or(0);
  Tail tail;
  if (load.ttft->Resolves(0.99)) {
    tail.missed = p99->lower >= slo;
    tail.kept = p99->upper <= slo;
    tail.text = fmt::format("{} p99 {}", load.ttft_name, Range(*p99));
  } else {
    tail = JudgeFew(load, count, slo);
  }
  if (load.lifetime) tail.text += " since start";
  return tail;
}

struct Verdict {
  State state = State::kUnknown;
  bool queue = false;
  std::vector<std::string> reasons;
};

// Do users wait, judged by load alone? The reasons, soundest first:
//  1. A queue for capacity that takes longer to drain than the promise (queued / first
//     tokens per second, Little's law). With one page the rate is unknown and a queue is
//     just a queue; so it is when one of a handful of requests waited too long. Deferred requests
//     are held back for other reasons: no queue.
//  2. The measured tail lies wholly above the promise. Figures since the start say what
//     was, not what is: they never decide.
//  3. Neither, and the tail wholly within the promise, or nothing queued and nothing
//     measured against it: nobody waits.
//  A tail whose bucket holds the promise decides nothing.
Verdict Judge(const Load& load, double slo) {
  Verdict verdict;
  const std::optional<Tail> tail = JudgeTail(load, slo);
  const bool current = tail && !load.lifetime;

  bool queue_is_long = false;
  verdict.queue = load.queued.value_or(0) > 0;
  if (verdict.queue) {
    const double rate = load.first_tokens_per_second.value_or(0);
    queue_is_long = rate <= 0 || *load.queued / rate > slo || (current && tail->some_above);
    verdict.reasons.push_back(fmt::format("{} queued", Number(*load.queued)));
  }
  if (load.deferred) {
    verdict.reasons.push_back(
        fmt::format("{} deferred (not for lack of capacity)", Number(*load.deferred)));
  }
  if (tail) {
    verdict.reasons.push_back(tail->text);
  } else if (load.ttft != nullptr) {
    // A histogram that is declared but cut off is no proof of an idle engine.
    const bool readable = load.ttft->count().has_value();
    verdict.reasons.push_back(!readable       ? fmt::format("{} not readable", load.ttft_name)
                              : load.lifetime ? "no request since start"
                                              : "no request in the window");
  }

  if (queue_is_long || (current && tail->missed)) {
    verdict.state = State::kWaiting;
  } else if (!load.queued && !current) {
    verdict.state = State::kUnknown;
  } else if (current && !tail->kept) {
    verdict.state = State::kUnknown;
    verdict.reasons.push_back("the promise of " + Seconds(slo) + " lies inside that bucket");
  } else {
    verdict.state = State::kGood;
    if (load.queued == 0.0 && !load.deferred) {
      verdict.reasons.insert(verdict.reasons.begin(), "nothing queued");
    }
  }
  return verdict;
}

Headline Say(const Verdict& verdict) {
  const std::string reasons = fmt::format("{}", fmt::join(verdict.reasons, ", "));
  switch (verdict.state) {
    case State::kWaiting:
      return {State::kWaiting, std::string(kUsersAreWaiting) + reasons};
    case State::kGood:
      return {State::kGood, (verdict.queue ? "waits are short: " : "nobody waits: ") + reasons};
    case State::kUnknown:
      break;
  }
  return {State::kUnknown,
          "cannot tell: " + (reasons.empty() ? "neither queue nor TTFT is exported" : reasons)};
}

// GPU pages do not know users, and an engine that is seen twice is told of once.
bool SpeaksForItself(const TargetReport& report) {
  return report.kind() != dialect::Kind::kGpu && report.FindFinding("relayed_engine") == nullptr &&
         report.FindFinding("repeated_page") == nullptr;
}

// What makes the figures themselves worthless, or says more than they do.
std::optional<Headline> OverruledBy(const TargetReport& report) {
  const auto say = [](State state, std::string text) { return Headline{state, std::move(text)}; };
  if (report.FindFinding("last_scrape_failed") != nullptr) {
    return say(State::kUnknown, "cannot tell: the newest scrape failed");
  }
  if (report.FindFinding("blind_page") != nullptr) {
    return say(State::kUnknown, "cannot tell: the page has no engine metrics");
  }
  if (report.FindFinding("no_progress") != nullptr) {
    return say(State::kWaiting, std::string(kUsersAreWaiting) +
                                    "the engine holds requests and makes no progress (stuck)");
  }
  if (report.FindFinding("frozen_gauges") != nullptr) {
    return say(State::kGood,
               "nobody waits: the engine is idle, its running and waiting gauges are left-overs");
  }
  if (report.FindFinding("progress_unclear") != nullptr) {
    return say(State::kUnknown, "cannot tell: stuck, or idle with left-over gauges");
  }
  if (report.kind() == dialect::Kind::kGpu) {
    return say(State::kUnknown, "cannot tell: GPU metrics do not say whether users wait");
  }
  return std::nullopt;
}

std::string ShareOf(const TtftDecomposition& split) {
  if (split.largest.empty() || split.lifetime) return {};
  return fmt::format(", of which {} {}", split.largest, Percent(split.largest_share));
}

}  // namespace

Headline HeadlineFor(const TargetReport& report, const ReportOptions& options) {
  if (auto overruled = OverruledBy(report)) return *std::move(overruled);
  const std::string_view family = report.kind() == dialect::Kind::kGateway ? "gateway" : "llm";
  Load load;
  Histogram ttft;
  for (const ReplicaSignals& replica : report.replicas) {
    AddQueue(replica, family, load);
    AddLatency(replica, family, ttft, load);
  }
  Verdict verdict = Judge(load, options.slo_ttft_seconds);
  const std::size_t known = report.ranks_known.size();
  const std::size_t silent = known - report.ranks_reporting.size();
  if (report.FindFinding("engines_missing") != nullptr) {
    if (verdict.state == State::kGood) verdict.state = State::kUnknown;
    verdict.reasons.insert(verdict.reasons.begin(),
                           fmt::format("{} of {} engines do not report load", silent, known));
  }
  Headline headline = Say(verdict);
  if (verdict.state == State::kWaiting && report.decompositions.size() == 1) {
    headline.text += ShareOf(report.decompositions.front());
  }
  return headline;
}

Headline HeadlineFor(const FleetSummary& fleet, std::span<const TargetReport> reports,
                     const ReportOptions& options) {
  std::vector<std::pair<const TargetReport*, Headline>> spoken;
  for (const TargetReport& report : reports) {
    if (SpeaksForItself(report)) spoken.emplace_back(&report, HeadlineFor(report, options));
  }
  if (spoken.size() == 1) return std::move(spoken.front().second);
  if (spoken.empty() && reports.size() == 1) return HeadlineFor(reports.front(), options);
  if (spoken.empty()) return {State::kUnknown, "cannot tell: no engine among the targets"};

  std::size_t unknown = 0;
  std::vector<std::string> waiting;
  for (const auto& [report, headline] : spoken) {
    if (headline.state == State::kUnknown) ++unknown;
    if (headline.state != State::kWaiting) continue;
    waiting.push_back(fmt::format("{} ({})", NameOf(report->target),
                                  headline.text.substr(kUsersAreWaiting.size())));
  }
  if (!waiting.empty()) {
    constexpr std::size_t kNamed = 3;
    const std::size_t more = waiting.size() - std::min(waiting.size(), kNamed);
    waiting.resize(waiting.size() - more);
    std::string text = fmt::format("{}{}", kUsersAreWaiting, fmt::join(waiting, "; "));
    if (more > 0) text += fmt::format("; and at {} more", more);
    return {State::kWaiting, std::move(text)};
  }
  if (unknown > 0) {
    return {State::kUnknown,
            fmt::format("cannot tell for {} of {} targets; nobody waits at the others", unknown,
                        spoken.size())};
  }
  std::string text = fmt::format("nobody waits at any of {} targets", spoken.size());
  if (fleet.running) text += fmt::format(", {} running", Number(*fleet.running));
  return {State::kGood, std::move(text)};
}

}  // namespace firstword::signals
