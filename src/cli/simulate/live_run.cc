#include "cli/simulate/live_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/options/interrupt.h"
#include "cli/text/format.h"
#include "cli/text/json_writer.h"
#include "cli/text/table.h"

namespace firstword::cli {
namespace {

using simulate::Endpoint;
using simulate::LiveFleet;
using std::chrono::steady_clock;

std::string EndpointsJson(const LiveFleet& live) {
  JsonWriter json(JsonWriter::Layout::kCompact);
  json.BeginObject();
  json.Key("endpoints");
  json.BeginArray();
  for (const Endpoint& endpoint : live.endpoints()) {
    json.BeginObject();
    json.Field("name", endpoint.name);
    json.Field("url", endpoint.url);
    json.Field("metrics_url", endpoint.metrics_url);
    json.Field("engine", endpoint.engine);
    json.Field("version", endpoint.version);
    json.Field("model", endpoint.model);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return std::move(json).Take() + "\n";
}

void PrintEndpoints(const LiveFleet& live, bool as_json, Console& console) {
  if (as_json) {
    console.out << EndpointsJson(live) << std::flush;
    return;
  }
  // The URL stands first and alone, so that scripts can cut it off.
  for (const Endpoint& endpoint : live.endpoints()) {
    console.out << fmt::format("{}  {}  {} {}  {}\n", endpoint.metrics_url, endpoint.name,
                               endpoint.engine, endpoint.version, endpoint.model);
  }
  console.out << std::flush;
}

double ToSeconds(std::chrono::nanoseconds t) { return std::chrono::duration<double>(t).count(); }

std::string LagText(const LiveFleet& live) {
  const simulate::LagMeter& lag = live.lag();
  if (lag.count() == 0) return "no event yet";
  return fmt::format(
      "late by {} at p99, {} at most{}", FormatSeconds(ToSeconds(lag.Quantile(0.99))),
      FormatSeconds(ToSeconds(lag.worst())),
      lag.behind() ? ": the machine does not keep up, times are not the model's" : "");
}

// Progress since the last line.
class Progress {
 public:
  Progress(LiveFleet& live, Console& console) : live_(live), console_(console) {}

  void Print() {
    simulate::Fleet& fleet = live_.fleet();
    const double seconds = std::chrono::duration<double>(steady_clock::now() - last_).count();
    std::size_t open = 0;
    for (std::size_t i = 0; i < fleet.replicas(); ++i) open += fleet.status(i).open_requests;
    const auto per_second = [&](std::uint64_t now, std::uint64_t before) {
      return static_cast<double>(now - before) / std::max(seconds, 1e-3);
    };
    console_.err << fmt::format(
        "simulated {:.0f} s: {} requests open, {:.1f} ended/s, {:.0f} tokens/s; {}\n",
        simulate::Seconds(fleet.now()), open, per_second(fleet.requests_ended(), ended_),
        per_second(fleet.tokens_given(), tokens_), LagText(live_));
    ended_ = fleet.requests_ended();
    tokens_ = fleet.tokens_given();
    last_ = steady_clock::now();
  }

 private:
  LiveFleet& live_;
  Console& console_;
  steady_clock::time_point last_ = steady_clock::now();
  std::uint64_t ended_ = live_.fleet().requests_ended();
  std::uint64_t tokens_ = live_.fleet().tokens_given();
};

}  // namespace

void RunOnPorts(LiveFleet& live, net::EventLoop& loop, const LiveRunOptions& options,
                Console& console) {
  constexpr std::chrono::seconds kBetweenLines{10};
  constexpr std::chrono::milliseconds kSlice{100};
  CatchInterrupts();
  PrintEndpoints(live, options.json, console);
  const steady_clock::time_point began = steady_clock::now();
  steady_clock::time_point next_line = began + kBetweenLines;
  Progress progress(live, console);
  while (!Interrupted()) {
    const steady_clock::time_point now = steady_clock::now();
    if (options.duration && now >= began + *options.duration) break;
    loop.RunFor(kSlice);
    if (options.quiet || now < next_line) continue;
    next_line += kBetweenLines;
    progress.Print();
  }
  simulate::Fleet& fleet = live.fleet();
  console.err << fmt::format("ended: {:.0f} s simulated, {} requests, {} tokens; {}\n",
                             simulate::Seconds(fleet.now()), fleet.requests_ended(),
                             fleet.tokens_given(), LagText(live));
}

}  // namespace firstword::cli
