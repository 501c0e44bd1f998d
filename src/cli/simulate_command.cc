#include "cli/simulate_command.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <utility>

#include "cli/simulate/fleet_choice.h"
#include "cli/simulate/live_run.h"
#include "cli/simulate/virtual_run.h"
#include "cli/text/table.h"
#include "simulate/live/live_fleet.h"
#include "simulate/scenario/scenarios.h"

namespace firstword::cli {
namespace {

struct SimulateOptions {
  FleetChoice choice;
  std::optional<double> speed;
  std::optional<std::chrono::milliseconds> duration;
  std::optional<std::chrono::milliseconds> in_virtual_time;
  std::optional<std::chrono::milliseconds> warm_up;
  std::string pages;
  std::string address = "127.0.0.1";
  int port = 0;
  bool own_hosts = false;
  bool list = false;
  bool presets = false;
  std::string show;
  bool json = false;
  bool quiet = false;
};

constexpr std::string_view kDescription =
    "Simulates replicas of serving engines on their GPUs, with users, and serves what the real "
    "ones serve: the OpenAI API and their /metrics pages, spelled as that engine and version "
    "spells them. A scenario is one thing that can be wrong with a fleet, and when it begins; "
    "without one a single healthy replica runs. The first thing printed are the URLs.";

constexpr std::string_view kExamples =
    "  firstword simulate kv-thrash\n"
    "  firstword simulate --engine sglang:0.5.9 --gpu h200 --rate 12\n"
    "  firstword simulate --engine vllm:0.30 --no-traffic --port 8000\n"
    "  firstword simulate queue-bound --virtual 10m --pages pages/\n"
    "  firstword simulate --list\n";

Result<void> PrintList(const simulate::Presets& presets, Console& console) {
  Table table({{"scenario", Table::Align::kLeft, Ink::kPlain},
               {"shape", Table::Align::kLeft, Ink::kPlain},
               {"what it is", Table::Align::kLeft, Ink::kPlain}});
  for (const std::string_view name : simulate::BuiltinScenarioNames()) {
    const Result<simulate::Scenario> scenario = simulate::FindScenario(name, presets);
    if (!scenario) return std::unexpected(scenario.error());
    table.AddRow({scenario->name, scenario->shape, scenario->title});
  }
  console.out << table.Render(Paint(console.color), static_cast<std::size_t>(console.columns));
  return {};
}

// What options and scenarios can name, a line each, for people and scripts: the kind, the
// name, and for engines and exporters a version and the dialect that reads it.
Result<void> PrintPresets(const simulate::Presets& presets, Console& console) {
  const Result<dialect::ExportCatalog> catalog = dialect::ExportCatalog::LoadBuiltin();
  if (!catalog) return std::unexpected(catalog.error());
  for (const dialect::Export& page : catalog->all()) {
    const bool simulated = presets.Engine(page.engine, "0").has_value();
    const bool gateway = page.dialect.ends_with("-router");
    for (const dialect::Version& version : page.versions) {
      console.out << fmt::format("{} {} {} {}\n",
                                 simulated ? "engine"
                                 : gateway ? "gateway"
                                           : "gpu",
                                 page.engine, version.ToString(), page.dialect);
    }
  }
  const auto print = [&](std::string_view kind, const std::vector<std::string_view>& names) {
    for (const std::string_view name : names) console.out << kind << ' ' << name << '\n';
  };
  print("card", presets.gpu_names());
  print("model", presets.model_names());
  print("workload", presets.workload_names());
  return {};
}

Result<void> Show(const std::string& name, const simulate::Presets& presets, Console& console) {
  const Result<simulate::Scenario> scenario = simulate::FindScenario(name, presets);
  if (!scenario) return std::unexpected(scenario.error());
  console.out << simulate::BuiltinScenarioText(name);
  return {};
}

double UnixNow() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

Result<void> CheckOptions(const SimulateOptions& options) {
  if (options.speed && (*options.speed <= 0 || *options.speed > 10'000)) {
    return Fail(ErrorCode::kInvalid, "--speed: a number above 0 and at most 10000 is needed");
  }
  if (options.port > 65'000) return Fail(ErrorCode::kInvalid, "--port: at most 65000");
  if (!options.pages.empty() && !options.in_virtual_time) {
    return Fail(ErrorCode::kInvalid, "--pages is for --virtual",
                "a running simulation serves its pages");
  }
  if (options.in_virtual_time && options.in_virtual_time->count() == 0) {
    return Fail(ErrorCode::kInvalid, "--virtual: a time above 0 is needed");
  }
  return {};
}

Result<void> RunSimulate(const SimulateOptions& options, Console& console) {
  if (const Result<void> checked = CheckOptions(options); !checked) return checked;
  const Result<simulate::Presets> presets = simulate::Presets::LoadBuiltin();
  if (!presets) return std::unexpected(presets.error());
  if (options.list) return PrintList(*presets, console);
  if (options.presets) return PrintPresets(*presets, console);
  if (!options.show.empty()) return Show(options.show, *presets, console);
  const Result<dialect::ExportCatalog> catalog = dialect::ExportCatalog::LoadBuiltin();
  if (!catalog) return std::unexpected(catalog.error());
  Result<ChosenFleet> chosen = ChooseFleet(options.choice, *presets, *catalog);
  if (!chosen) return std::unexpected(chosen.error());

  const simulate::SimTime warm_up = options.warm_up.value_or(std::chrono::milliseconds(0));
  const double speed = options.speed.value_or(1);
  const double start = UnixNow() - simulate::Seconds(warm_up) / speed;
  Result<std::unique_ptr<simulate::Fleet>> fleet =
      simulate::Fleet::Create(std::move(chosen->scenario), *catalog,
                              {.start_unix_s = start, .traffic = !options.choice.no_traffic});
  if (!fleet) return std::unexpected(fleet.error());
  if (!chosen->trace.empty()) {
    if ((*fleet)->scenario().traffic.empty()) {
      return Fail(ErrorCode::kInvalid, "--trace: the scenario has no traffic to replace");
    }
    (*fleet)->ReplaceTraffic(
        0, simulate::MakeReplay(std::move(chosen->trace), options.choice.trace_speed.value_or(1)));
  }
  if (options.in_virtual_time) {
    return RunVirtual(**fleet, *options.in_virtual_time, options.pages, console);
  }
  net::EventLoop loop;
  const Result<std::unique_ptr<simulate::LiveFleet>> live =
      simulate::LiveFleet::Start(loop, std::move(*fleet),
                                 {.address = options.address,
                                  .first_port = static_cast<std::uint16_t>(options.port),
                                  .speed = speed,
                                  .own_hosts = options.own_hosts,
                                  .warm_up = warm_up});
  if (!live) return std::unexpected(live.error());
  RunOnPorts(**live, loop,
             {.duration = options.duration, .json = options.json, .quiet = options.quiet}, console);
  return {};
}

}  // namespace

Command SimulateCommand() {
  auto options = std::make_unique<SimulateOptions>();
  Command command;
  command.name = "simulate";
  command.summary = "engines, GPUs and users without a GPU: a fleet on loopback ports";
  command.arguments = "[SCENARIO|FILE.yaml]";
  command.description = kDescription;
  command.examples = kExamples;
  command.positional = &options->choice.scenario;
  command.groups = {
      FleetOptionGroup(options->choice),
      {"how it runs",
       {{"--port", "PORT", "of the first replica, the others follow; 0: any free ones", "0",
         &options->port},
        {"--address", "ADDRESS", "to listen on", "127.0.0.1", &options->address},
        {"--own-hosts", "", "each replica on 127.0.0.1, 127.0.0.2, ... with its own GPU exporter",
         "", &options->own_hosts},
        {"--speed", "X", "simulated seconds a second", "1", &options->speed},
        {"--duration", "DURATION", "ends by itself after so long", "", &options->duration},
        {"--warm-up", "DURATION", "lived through at once, before it listens", "0",
         &options->warm_up},
        {"--virtual", "DURATION",
         "no ports: lives so long of its own time as fast as it can, and reports", "",
         &options->in_virtual_time},
        {"--pages", "DIRECTORY", "with --virtual: writes every page at the end", "",
         &options->pages}}},
      {"what to print",
       {{"--list", "", "the built-in scenarios, then exit", "", &options->list},
        {"--presets", "", "the engines, cards, models and workloads it knows, then exit", "",
         &options->presets},
        {"--show", "SCENARIO", "a built-in scenario's YAML, to begin one's own with", "",
         &options->show},
        {"--json", "", "where it listens as one JSON object", "", &options->json},
        {"--quiet", "", "no progress on standard error, only the last line", "",
         &options->quiet}}}};
  command.run = [options = std::move(options)](Console& console) {
    const Result<void> ran = RunSimulate(*options, console);
    if (ran) return ExitCode::kGood;
    PrintError(console, "firstword simulate", ran.error());
    return ExitCode::kUsageOrIo;
  };
  return command;
}

}  // namespace firstword::cli
