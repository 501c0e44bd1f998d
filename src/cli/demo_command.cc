#include "cli/demo_command.h"

#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "cli/watch_command.h"
#include "simulate/live/live_fleet.h"
#include "simulate/scenario/scenarios.h"

namespace firstword::cli {
namespace {

constexpr std::string_view kDescription =
    "Runs a small fleet on loopback ports and watches it: a healthy vLLM, one that drowns, "
    "SGLang, Triton with TensorRT-LLM, and their GPUs, all simulated. Both vLLM servers keep "
    "their GPU busy; what their users feel could not differ more. On a terminal a live screen "
    "(press ? for its keys); piped, one look.";

constexpr std::string_view kExamples =
    "  firstword demo\n"
    "  firstword demo --scenario kv-thrash\n"
    "  firstword demo --once --json\n";

struct DemoOptions {
  std::string scenario = "demo";
  std::chrono::milliseconds warm_up{180'000};
  WatchOptions watch;
};

double UnixNow() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// A fleet on a thread and a loop of its own, from Start() to the end of the object.
class FleetThread {
 public:
  ~FleetThread() {
    if (loop_ != nullptr) loop_->Stop();
    if (thread_.joinable()) thread_.join();
  }

  // The URLs of all pages, once they are served.
  Result<std::vector<std::string>> Start(const DemoOptions& options) {
    const Result<simulate::Presets> presets = simulate::Presets::LoadBuiltin();
    if (!presets) return std::unexpected(presets.error());
    const Result<dialect::ExportCatalog> catalog = dialect::ExportCatalog::LoadBuiltin();
    if (!catalog) return std::unexpected(catalog.error());
    Result<simulate::Scenario> scenario = simulate::FindScenario(options.scenario, *presets);
    if (!scenario) return std::unexpected(scenario.error());
    Result<std::unique_ptr<simulate::Fleet>> fleet =
        simulate::Fleet::Create(std::move(*scenario), *catalog,
                                {.start_unix_s = UnixNow() - simulate::Seconds(options.warm_up)});
    if (!fleet) return std::unexpected(fleet.error());
    loop_ = std::make_unique<net::EventLoop>();
    Result<std::unique_ptr<simulate::LiveFleet>> live = simulate::LiveFleet::Start(
        *loop_, std::move(*fleet), {.own_hosts = true, .warm_up = options.warm_up});
    if (!live) return std::unexpected(live.error());
    live_ = std::move(*live);
    std::vector<std::string> urls;
    for (const simulate::Endpoint& endpoint : live_->endpoints())
      urls.push_back(endpoint.metrics_url);
    // From here on the loop and all that is on it belong to that thread until it is joined.
    thread_ = std::thread([this] { loop_->Run(); });
    return urls;
  }

 private:
  std::unique_ptr<net::EventLoop> loop_;
  std::unique_ptr<simulate::LiveFleet> live_;
  std::thread thread_;
};

Result<ExitCode> RunDemo(DemoOptions& options, Console& console) {
  FleetThread fleet;
  Result<std::vector<std::string>> urls = fleet.Start(options);
  if (!urls) return std::unexpected(urls.error());
  options.watch.urls = std::move(*urls);
  if (!console.interactive && options.watch.count == 0) options.watch.once = true;
  console.err << "Simulated, on loopback:\n  firstword watch";
  for (const std::string& url : options.watch.urls) console.err << " " << url;
  console.err << std::endl;
  const Result<ExitCode> code = RunWatch(options.watch, console);
  if (!code) return code;
  // 1 and 2 are verdicts on a fleet that is meant to be ill.
  return *code == ExitCode::kUsageOrIo ? *code : ExitCode::kGood;
}

}  // namespace

Command DemoCommand() {
  auto options = std::make_unique<DemoOptions>();
  WatchOptions& watch = options->watch;
  watch.window = std::chrono::seconds(15);
  Command command;
  command.name = "demo";
  command.summary = "a simulated fleet, healthy and drowning, watched: nothing else needed";
  command.arguments = "";
  command.description = kDescription;
  command.examples = kExamples;
  command.groups = {
      {"what to simulate",
       {{"--scenario", "NAME|FILE", "another one (firstword simulate --list)", "demo",
         &options->scenario},
        {"--warm-up", "DURATION", "lived through before the first look", "3m", &options->warm_up}}},
      {"what to print",
       {{"--interval", "DURATION", "time between two looks", "2s", &watch.interval},
        {"--window", "DURATION", "rates and percentiles are of this long", "15s", &watch.window},
        {"--once", "", "one look, then exit", "", &watch.once},
        {"--count", "N", "the same after N intervals; 0: without end", "", &watch.count},
        {"--plain", "", "lines instead of the live screen, also on a terminal", "", &watch.plain},
        {"--json", "", "one JSON object a line and interval (docs/watch.md)", "", &watch.json},
        {"--ascii", "", "no characters beyond ASCII", "", &watch.ascii}}}};
  command.run = [options = std::move(options)](Console& console) {
    const Result<ExitCode> code = RunDemo(*options, console);
    if (code) return *code;
    PrintError(console, "firstword demo", code.error());
    return ExitCode::kUsageOrIo;
  };
  return command;
}

}  // namespace firstword::cli
