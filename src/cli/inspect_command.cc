#include "cli/inspect_command.h"

#include <algorithm>
#include <memory>
#include <thread>
#include <utility>

#include "base/time.h"
#include "cli/inspect/inspect_json.h"
#include "cli/inspect/inspect_text.h"
#include "cli/inspect/inspection.h"
#include "cli/inspect/page_source.h"
#include "cli/options/http_options.h"
#include "cli/options/reading_options.h"

namespace firstword::cli {
namespace {

struct InspectOptions {
  std::vector<std::string> pages;
  std::optional<std::chrono::milliseconds> after;
  std::optional<std::chrono::milliseconds> interval;
  bool json = false;
  bool why = false;
  bool check = false;
  bool strict = false;
  bool ascii = false;
  HttpOptions http;
  ReadingOptions reading;
};

constexpr std::string_view kDescription =
    "Reads one metrics page and shows it in firstword's own words: which engine and version "
    "it is, whether users are waiting and where the time goes, every canonical signal with "
    "its source, what is absent and what that costs, and what is odd. One page tells of the "
    "time since the engine's start; two pages, or --interval, tell of the time between them.";

constexpr std::string_view kExamples =
    "  firstword inspect http://localhost:8000\n"
    "  firstword inspect http://localhost:8000 --interval 10s\n"
    "  firstword inspect before.prom after.prom --after 30s --json\n"
    "  curl -s http://localhost:8000/metrics | firstword inspect -\n";

Result<void> Validate(const InspectOptions& options) {
  const auto fail = [](std::string message, std::string hint = {}) {
    return Fail(ErrorCode::kInvalid, std::move(message), std::move(hint));
  };
  if (options.pages.empty()) {
    return fail("no page given", "give a URL, a file, or - for stdin");
  }
  if (options.pages.size() > 2) {
    return fail("more than two pages given", "several targets at once: firstword watch URL...");
  }
  const bool two = options.pages.size() == 2;
  if (two && !options.after) {
    return fail("two pages need the time between them", "add --after SECONDS");
  }
  if (two && options.interval) return fail("--interval goes with one URL, --after with two pages");
  if (!two && options.after) return fail("--after goes with two pages");
  if (options.interval && !IsUrl(options.pages.front())) {
    return fail("--interval needs a URL to scrape twice");
  }
  if ((options.after && options.after->count() == 0) ||
      (options.interval && options.interval->count() == 0)) {
    return fail("the time between two pages must be above zero");
  }
  return {};
}

// The one or two scrapes that the command line asks for, oldest first.
Result<std::vector<Scrape>> TakeScrapes(const InspectOptions& options, Console& console,
                                        const Clock& clock) {
  std::vector<Scrape> scrapes;
  const auto take = [&](const std::string& where) -> Result<void> {
    Result<FetchedPage> page = FetchPage(where, options.http, console);
    if (!page) return std::unexpected(page.error());
    scrapes.push_back({clock.NowMs(), std::move(*page)});
    return {};
  };
  for (const std::string& page : options.pages) {
    if (auto taken = take(page); !taken) return std::unexpected(taken.error());
  }
  if (options.interval) {
    std::this_thread::sleep_for(*options.interval);
    if (auto taken = take(options.pages.front()); !taken) return std::unexpected(taken.error());
  }
  // Files do not say when they were taken; the second is taken to be of now.
  if (options.after) scrapes.front().time = scrapes.back().time - options.after->count();
  return scrapes;
}

ExitCode Verdict(const Inspection& inspection, bool check) {
  if (!check) return ExitCode::kGood;
  if (inspection.report.detections.empty()) return ExitCode::kCannotTell;
  const auto& findings = inspection.report.findings;
  const bool warned = std::any_of(findings.begin(), findings.end(), [](const auto& finding) {
    return finding.severity == signals::Finding::Severity::kWarning;
  });
  return warned ? ExitCode::kFinding : ExitCode::kGood;
}

ExitCode PrintFaults(const Inspection& inspection, bool json, Console& console) {
  if (json) {
    console.out << InspectJson(inspection);
  } else if (inspection.fault_count == 0) {
    console.out << inspection.name << ": no format fault\n";
  } else {
    console.out << FaultLines(inspection);
  }
  return inspection.fault_count == 0 ? ExitCode::kGood : ExitCode::kFinding;
}

Result<ExitCode> RunInspect(const InspectOptions& options, Console& console) {
  if (auto valid = Validate(options); !valid) return std::unexpected(valid.error());
  const Result<dialect::Registry> registry = options.reading.LoadDialects();
  if (!registry) return std::unexpected(registry.error());
  const Result<std::vector<Scrape>> scrapes = TakeScrapes(options, console, SystemClock());
  if (!scrapes) return std::unexpected(scrapes.error());

  InspectionOptions how{.report = options.reading.report()};
  if (options.strict) {
    how.mode = exposition::Mode::kStrict;
    how.max_faults = 1'000'000;
  }
  const Result<Inspection> inspection = Inspect(*scrapes, *registry, how);
  if (!inspection) return std::unexpected(inspection.error());

  if (options.strict) return PrintFaults(*inspection, options.json, console);
  if (options.json) {
    console.out << InspectJson(*inspection);
  } else {
    const InspectTextOptions text{
        .width = static_cast<std::size_t>(std::clamp(console.columns, 80, 100)),
        .unicode = console.unicode && !options.ascii,
        .why = options.why};
    console.out << InspectText(*inspection, Paint(console.color), text);
  }
  return Verdict(*inspection, options.check);
}

}  // namespace

Command InspectCommand() {
  auto options = std::make_unique<InspectOptions>();
  Command command;
  command.name = "inspect";
  command.summary = "one metrics page as canonical signals: what is there, absent, odd";
  command.arguments = "URL|FILE|- [FILE2 --after SECONDS]";
  command.description = kDescription;
  command.examples = kExamples;
  command.positional = &options->pages;
  command.groups = {
      {"what to read",
       {{"--interval", "DURATION", "scrape the URL twice, this far apart", "", &options->interval},
        {"--after", "DURATION", "the second page was taken this long after the first", "",
         &options->after}}},
      {"what to print",
       {{"--json", "", "one JSON object (docs/inspect.md)", "", &options->json},
        {"--why", "", "all evidence for the engine and its version", "", &options->why},
        {"--strict", "", "only the format faults of the page, all of them; exit code 1 if any", "",
         &options->strict},
        {"--check", "", "exit code 1 when there is a warning, 2 when the page is not recognised",
         "", &options->check},
        {"--ascii", "", "no characters beyond ASCII in bars and rules", "", &options->ascii}}},
      ReadingOptionGroup(options->reading),
      HttpOptionGroup(options->http)};
  command.run = [options = std::move(options)](Console& console) {
    const Result<ExitCode> code = RunInspect(*options, console);
    if (code) return *code;
    PrintError(console, "firstword inspect", code.error());
    return ExitCode::kUsageOrIo;
  };
  return command;
}

}  // namespace firstword::cli
