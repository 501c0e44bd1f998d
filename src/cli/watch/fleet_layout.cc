#include "cli/watch/fleet_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/report/describe.h"
#include "cli/text/format.h"
#include "cli/text/text.h"
#include "cli/watch/fleet_columns.h"

namespace firstword::cli {
namespace {

constexpr std::size_t kMargin = 2;
constexpr std::size_t kGap = 2;

class FleetPainter {
 public:
  FleetPainter(const FleetView& view, const LiveState& state, ScreenSize size, bool unicode)
      : view_(view), state_(state), unicode_(unicode), grid_(size.columns, size.rows) {}

  Grid Paint() && {
    PutTitle(grid_, Title(), view_, state_);
    row_ = 2;
    Headline();
    ++row_;
    const FleetRow* selected = SelectedRow(view_, state_);
    constexpr std::size_t kWide = 150;
    const ColumnStyle style{.unicode = unicode_, .versions = grid_.columns() >= kWide};
    Section(view_.replicas, ReplicaColumns(view_, style), selected);
    Section(view_.gateways, GatewayColumns(view_), selected);
    Section(view_.gpu_pages, GpuColumns(view_), selected);
    Findings();
    Footer();
    return std::move(grid_);
  }

 private:
  std::size_t Bottom() const { return grid_.rows() - 1; }

  std::string Title() const {
    std::string title = "firstword watch · " + Plural(view_.targets, "target");
    if (view_.answering < view_.targets) title += fmt::format(", {} answering", view_.answering);
    return title;
  }

  void Headline() {
    constexpr std::size_t kMaxLines = 3;
    const std::size_t width = grid_.columns() - 2 * kMargin;
    auto lines = Wrap(view_.headline.text, width);
    if (lines.size() > kMaxLines) {
      lines.resize(kMaxLines);
      lines.back() = Shorten(lines.back(), width - 2) + " …";
    }
    for (const std::string& line : lines) {
      grid_.Put(kMargin, row_++, line, InkOf(view_.headline.state));
    }
    std::string totals = TotalsText(view_);
    while (DisplayWidth(totals) > width) totals.resize(totals.rfind(" · "));
    if (!totals.empty()) grid_.Put(kMargin, row_++, totals, Ink::kDim);
  }

  void Section(const std::vector<FleetRow>& rows, std::vector<FleetColumn> columns,
               const FleetRow* selected) {
    if (rows.empty() || row_ + 2 > Bottom()) return;
    columns = FitColumns(std::move(columns), grid_.columns() - 2 * kMargin);
    Titles(columns);
    const std::size_t room = Bottom() - row_;
    const std::size_t first = FirstShown(rows, selected, room);
    const std::size_t end = std::min(rows.size(), first + room);
    for (std::size_t i = first; i < end; ++i) OneRow(rows[i], columns, &rows[i] == selected);
    if (row_ < Bottom()) ++row_;
  }

  // Scrolls a long section so that the selected row is in it.
  static std::size_t FirstShown(const std::vector<FleetRow>& rows, const FleetRow* selected,
                                std::size_t room) {
    if (rows.size() <= room || room == 0) return 0;
    const auto at = std::find_if(rows.begin(), rows.end(),
                                 [&](const FleetRow& row) { return &row == selected; });
    if (at == rows.end()) return 0;
    const auto index = static_cast<std::size_t>(at - rows.begin());
    return index < room ? 0 : index - room + 1;
  }

  void Titles(const std::vector<FleetColumn>& columns) {
    std::size_t x = kMargin;
    for (const FleetColumn& column : columns) {
      Put(x, column, {column.title, Ink::kDim});
      x += column.width + kGap;
    }
    ++row_;
  }

  void OneRow(const FleetRow& row, const std::vector<FleetColumn>& columns, bool selected) {
    const std::string reason = ReasonText(row);
    std::size_t x = kMargin;
    for (const FleetColumn& column : columns) {
      Put(x, column, column.figure(row));
      x += column.width + kGap;
      // The reason takes the place of the figures that are not there.
      if (!reason.empty() && column.title == "STATE") {
        grid_.Put(x, row_, Shorten(reason, grid_.columns() - std::min(x, grid_.columns())),
                  Ink::kDim);
        break;
      }
    }
    if (selected) {
      grid_.Put(0, row_, unicode_ ? "▸" : ">");
      grid_.Reverse(row_);
    }
    ++row_;
  }

  void Put(std::size_t x, const FleetColumn& column, const Figure& figure) {
    if (column.left) {
      grid_.Put(x, row_, figure.text, figure.ink);
    } else {
      grid_.PutRight(x + column.width, row_, figure.text, figure.ink);
    }
  }

  // Warnings about targets together; those of one replica are in its focus view.
  void Findings() {
    for (const signals::Finding& finding : view_.summary.findings) {
      for (const std::string& line :
           Wrap("! " + Printable(finding.text), grid_.columns() - 2 * kMargin)) {
        if (row_ >= Bottom()) return;
        grid_.Put(kMargin, row_++, line, Ink::kWarn);
      }
    }
  }

  void Footer() {
    grid_.Put(
        kMargin, Bottom(),
        fmt::format("{} select   enter focus   s sort: {}   p pause   r reset   ? help   q quit",
                    unicode_ ? "↑↓" : "j/k", SortOrderName(state_.sort)),
        Ink::kDim);
  }

  const FleetView& view_;
  const LiveState& state_;
  const bool unicode_;
  Grid grid_;
  std::size_t row_ = 0;
};

std::string LatencyText(std::string_view name, const std::optional<signals::Histogram>& histogram) {
  if (!histogram) return {};
  const std::optional<signals::Interval> p99 = histogram->Quantile(0.99);
  if (!p99) return {};
  return fmt::format("{} p99 {}", name, FormatIntervalShort(*p99, "s"));
}

}  // namespace

Ink InkOf(signals::Headline::State state) {
  switch (state) {
    case signals::Headline::State::kGood:
      return Ink::kGood;
    case signals::Headline::State::kWaiting:
      return Ink::kBad;
    case signals::Headline::State::kUnknown:
      return Ink::kWarn;
  }
  return Ink::kPlain;
}

std::string TotalsText(const FleetView& view) {
  const signals::FleetSummary& sum = view.summary;
  if (sum.replicas == 0) return {};
  std::vector<std::string> parts = {Plural(sum.replicas, "replica")};
  if (sum.running) parts.push_back(FormatNumber(*sum.running) + " running");
  if (sum.waiting) parts.push_back(FormatNumber(*sum.waiting) + " waiting");
  if (sum.kv_usage_max) parts.push_back("fullest KV " + FormatRatio(*sum.kv_usage_max));
  for (std::string text : {LatencyText("TTFT", sum.ttft), LatencyText("ITL", sum.itl)}) {
    if (!text.empty()) parts.push_back(std::move(text));
  }
  if (sum.generation_tokens_per_second) {
    parts.push_back(FormatNumber(*sum.generation_tokens_per_second) + " tokens/s");
  }
  return Join(parts, " · ");
}

void PutTitle(Grid& grid, std::string_view title, const FleetView& view, const LiveState& state) {
  const std::string pace =
      fmt::format("every {} over {}   {}", FormatSeconds(view.interval_seconds),
                  FormatSeconds(view.window_seconds), view.time_text);
  const std::string right = state.paused ? "PAUSED at " + view.time_text : pace;
  const std::size_t end = grid.columns() - kMargin;
  const std::size_t room = end - std::min(end, DisplayWidth(right) + kMargin + kGap);
  grid.Put(kMargin, 0, Shorten(title, room), Ink::kBold);
  grid.PutRight(end, 0, right, state.paused ? Ink::kWarn : Ink::kDim);
}

Grid RenderFleet(const FleetView& view, const LiveState& state, ScreenSize size, bool unicode) {
  return FleetPainter(view, state, size, unicode).Paint();
}

Grid RenderScreen(const FleetView& view, const LiveState& state, ScreenSize size, bool unicode) {
  // Below this nothing can be read anyway; the layout need not care.
  size.columns = std::max<std::size_t>(size.columns, 40);
  size.rows = std::max<std::size_t>(size.rows, 8);
  if (state.help) return RenderHelp(size);
  const FleetRow* row = SelectedRow(view, state);
  if (state.focused && row != nullptr) return RenderFocus(view, *row, state, size, unicode);
  return RenderFleet(view, state, size, unicode);
}

}  // namespace firstword::cli
