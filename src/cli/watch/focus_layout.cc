#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "cli/report/describe.h"
#include "cli/report/report_sections.h"
#include "cli/report/signal_tables.h"
#include "cli/text/bars.h"
#include "cli/text/text.h"
#include "cli/watch/fleet_columns.h"
#include "cli/watch/fleet_layout.h"

namespace firstword::cli {
namespace {

constexpr std::size_t kMargin = 2;
constexpr std::size_t kMaxTextWidth = 120;

std::vector<std::string> Lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string BodyText(const FleetRow& row, std::size_t width, bool unicode) {
  const Paint plain(false);
  const signals::TargetReport& report = *row.report;
  std::string text;
  if (row.replica < report.decompositions.size()) {
    text += TtftSection(report.decompositions[row.replica], plain, width, unicode);
  }
  if (!row.waiting_history.empty() && row.waiting) {
    constexpr double kLeastTop = 8;
    text += SectionHeading("Waiting, the last intervals", "", plain);
    text += "  " + Sparkline(row.waiting_history, width - 2, kLeastTop, unicode) + "\n";
  }
  text += FindingsSection(report.findings, plain, width);
  const std::string gpus = GpuTable(report.replicas[row.replica], plain, width);
  text += gpus + SignalTables(report.replicas[row.replica], plain, width, !gpus.empty());
  text += AbsentSection(report.absent, plain, width);
  return text;
}

std::string TitleOf(const FleetRow& row) {
  std::string title = row.name;
  if (row.report == nullptr) return title;
  title += " · " + EngineText(row.report->detections.front());
  const std::string model = Printable(row.report->replicas[row.replica].labels.Get("model"));
  return model.empty() ? title : title + " · " + model;
}

}  // namespace

Grid RenderFocus(const FleetView& view, const FleetRow& row, const LiveState& state,
                 ScreenSize size, bool unicode) {
  Grid grid(size.columns, size.rows);
  PutTitle(grid, TitleOf(row), view, state);
  const std::size_t width = std::min(size.columns - 2 * kMargin, kMaxTextWidth);
  std::size_t y = 2;
  const bool down = row.state == RowState::kDown;
  const Ink ink = down || row.state == RowState::kWaiting ? Ink::kBad
                  : row.state == RowState::kUnknown       ? Ink::kWarn
                                                          : Ink::kGood;
  for (const std::string& line : Wrap(down ? "down " + ReasonText(row) : row.headline, width)) {
    grid.Put(kMargin, y++, line, ink);
  }
  const std::size_t bottom = size.rows - 1;
  std::vector<std::string> lines;
  if (row.report != nullptr) lines = Lines(BodyText(row, width, unicode));
  const std::size_t room = bottom > y ? bottom - y : 0;
  const std::size_t last_start = lines.size() > room ? lines.size() - room : 0;
  const std::size_t start = std::min(state.scroll, last_start);
  for (std::size_t i = start; i < std::min(lines.size(), start + room); ++i) {
    const bool heading = !lines[i].empty() && lines[i].front() != ' ';
    grid.Put(kMargin, y++, lines[i], heading ? Ink::kBold : Ink::kPlain);
  }
  std::string footer = "esc back   p pause   ? help   q quit";
  if (last_start > 0) {
    footer =
        fmt::format("{} scroll ({} of {})   ", unicode ? "↑↓" : "j/k", start + room, lines.size()) +
        footer;
  }
  grid.Put(kMargin, bottom, footer, Ink::kDim);
  return grid;
}

Grid RenderHelp(ScreenSize size) {
  static constexpr std::pair<std::string_view, std::string_view> kKeys[] = {
      {"up, down, j, k", "select a row; scroll in the focus view"},
      {"PgUp, PgDn, g, G", "by the screen, to the first, to the last"},
      {"enter", "focus the selected row, and back"},
      {"esc", "back to the fleet"},
      {"s", "sort by pain, waiting, TTFT, name"},
      {"p", "pause the picture; scraping goes on"},
      {"r", "reset: forget what was scraped so far"},
      {"q", "quit"}};
  static constexpr std::string_view kWords[] = {
      "RUN, WAIT   requests in the batch, and waiting for a place in it",
      "KV          share of the KV cache that running requests hold",
      "PRE/S       running requests pushed out for lack of KV cache, a second",
      "TTFT, ITL   time to first token, gap between tokens: the bucket the",
      "            percentile lies in; faint: since the engine's start",
      "HITS        prompt tokens found in the prefix cache",
      "–           the engine does not export it"};
  Grid grid(size.columns, size.rows);
  grid.Put(kMargin, 0, "firstword watch · keys and words", Ink::kBold);
  std::size_t y = 2;
  for (const auto& [key, meaning] : kKeys) {
    grid.Put(kMargin, y, key, Ink::kBold);
    grid.Put(kMargin + 20, y++, meaning);
  }
  ++y;
  for (const std::string_view line : kWords) grid.Put(kMargin, y++, line);
  grid.Put(kMargin, size.rows - 1, "any key goes back", Ink::kDim);
  return grid;
}

}  // namespace firstword::cli
