#include "cli/watch_command.h"

#include <algorithm>
#include <memory>
#include <thread>
#include <utility>

#include "cli/options/interrupt.h"
#include "cli/watch/live_view.h"
#include "cli/watch/watch_json.h"
#include "cli/watch/watch_session.h"
#include "cli/watch/watch_text.h"

namespace firstword::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::string_view kDescription =
    "Scrapes engines, gateways and GPU exporters, finds out what they are, and shows whether "
    "users are waiting and where: one row a replica, the one in most pain first. On a "
    "terminal a live screen (press ? for its keys); piped, a block of plain lines an interval.";

constexpr std::string_view kExamples =
    "  firstword watch http://10.0.0.7:8000 http://10.0.0.8:8000 http://10.0.0.7:9400\n"
    "  firstword watch https://llm.example.com --bearer-token-file token --interval 5s\n"
    "  firstword watch unix:///run/engine.sock --once --json\n";

ExitCode Verdict(const FleetView& view) {
  if (view.answering == 0) return ExitCode::kUsageOrIo;
  switch (view.headline.state) {
    case signals::Headline::State::kGood:
      return ExitCode::kGood;
    case signals::Headline::State::kWaiting:
      return ExitCode::kFinding;
    case signals::Headline::State::kUnknown:
      return ExitCode::kCannotTell;
  }
  return ExitCode::kCannotTell;
}

void SleepUntil(steady_clock::time_point end) {
  constexpr milliseconds kSlice{50};
  while (!Interrupted() && steady_clock::now() < end) {
    std::this_thread::sleep_for(
        std::min<steady_clock::duration>(kSlice, end - steady_clock::now()));
  }
}

// Scrapes until every target has answered or failed, or until `end`.
void AwaitRound(FleetScraper& scraper, steady_clock::time_point end) {
  constexpr milliseconds kSlice{50};
  while (!Interrupted() && scraper.busy() && steady_clock::now() < end) scraper.RunFor(kSlice);
}

// Blocks of lines, one an interval; the first needs two scrapes, unless only one is wanted.
Result<ExitCode> RunPlain(WatchSession& session, Console& console, bool unicode) {
  const WatchOptions& options = session.options();
  const bool single = options.interval.count() == 0;
  const int blocks = options.once ? 1 : options.count;
  int printed = 0;
  ExitCode verdict = ExitCode::kCannotTell;
  auto tick = steady_clock::now();
  for (int round = 0; !Interrupted(); ++round) {
    session.scraper().StartRound();
    const bool last = blocks > 0 && printed + 1 == blocks && (round > 0 || single);
    // The last picture waits for everyone, the others for the next scrape at most.
    AwaitRound(session.scraper(), last ? steady_clock::time_point::max() : tick + options.interval);
    if (Interrupted()) break;
    if (round > 0 || single) {
      const Result<FleetView> view = session.Look();
      if (!view) return std::unexpected(view.error());
      console.out << (options.json ? WatchJson(*view)
                                   : WatchText(*view, Paint(console.color), unicode));
      console.out << (options.json || last ? "" : "\n") << std::flush;
      verdict = Verdict(*view);
      ++printed;
      if (last && verdict == ExitCode::kUsageOrIo) {
        PrintError(
            console, "firstword watch",
            {ErrorCode::kUnavailable, "no target answered", "each one's reason stands in its row"});
      }
      if (last) return verdict;
      if (!console.out) return ExitCode::kGood;  // FinishOutput() says why
    }
    tick = std::max(tick + options.interval, steady_clock::now());
    SleepUntil(tick);
  }
  return blocks > 0 ? verdict : ExitCode::kGood;
}

}  // namespace

Result<ExitCode> RunWatch(const WatchOptions& options, Console& console) {
  const SystemClock clock;
  Result<std::unique_ptr<WatchSession>> session = WatchSession::Open(options, clock);
  if (!session) return std::unexpected(session.error());
  CatchInterrupts();
  const bool unicode = console.unicode && !options.ascii;
  const bool live =
      console.interactive && !options.plain && !options.json && !options.once && options.count == 0;
  if (!live) return RunPlain(**session, console, unicode);

  Result<std::unique_ptr<Screen>> screen = OpenTerminal(console.color);
  if (!screen) return std::unexpected(screen.error());
  const Result<void> ran = RunLive(**session, **screen, unicode, Interrupted);
  screen->reset();
  if (!ran) return std::unexpected(ran.error());
  return ExitCode::kGood;
}

Command WatchCommand() {
  auto options = std::make_unique<WatchOptions>();
  Command command;
  command.name = "watch";
  command.summary = "replicas live: who waits, where, and which GPU beside it";
  command.arguments = "URL...";
  command.description = kDescription;
  command.examples = kExamples;
  command.positional = &options->urls;
  command.groups = {
      {"pace",
       {{"--interval", "DURATION", "time between two scrapes", "2s", &options->interval},
        {"--window", "DURATION", "rates and percentiles are of this long", "30s",
         &options->window}}},
      {"what to print",
       {{"--once", "",
         "two scrapes, one interval apart (--interval 0: one), then exit: 0 nobody "
         "waits, 1 users are waiting, 2 cannot tell, 3 no target answered",
         "", &options->once},
        {"--count", "N", "the same after N intervals; 0: without end", "", &options->count},
        {"--plain", "", "lines instead of the live screen, also on a terminal", "",
         &options->plain},
        {"--json", "", "one JSON object a line and interval (docs/watch.md)", "", &options->json},
        {"--ascii", "", "no characters beyond ASCII in bars and curves", "", &options->ascii}}},
      ReadingOptionGroup(options->reading),
      HttpOptionGroup(options->http)};
  command.run = [options = std::move(options)](Console& console) {
    const Result<ExitCode> code = RunWatch(*options, console);
    if (code) return *code;
    PrintError(console, "firstword watch", code.error());
    return ExitCode::kUsageOrIo;
  };
  return command;
}

}  // namespace firstword::cli
