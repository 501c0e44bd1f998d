#include "cli/watch/watch_text.h"

#include <utility>

#include "cli/text/table.h"
#include "cli/text/text.h"
#include "cli/watch/fleet_columns.h"
#include "cli/watch/fleet_layout.h"

namespace firstword::cli {
namespace {

constexpr std::size_t kUnlimited = 1000;

std::string Section(const std::vector<FleetRow>& rows, const std::vector<FleetColumn>& columns,
                    const Paint& paint) {
  if (rows.empty()) return {};
  std::vector<Table::Column> titles;
  for (const FleetColumn& column : columns) {
    titles.push_back(
        {.title = column.title, .align = column.left ? Table::Align::kLeft : Table::Align::kRight});
  }
  Table table(std::move(titles));
  for (const FleetRow& row : rows) {
    std::vector<std::string> cells;
    for (const FleetColumn& column : columns) cells.push_back(column.figure(row).text);
    table.AddRow(std::move(cells));
    if (std::string reason = ReasonText(row); !reason.empty()) table.AddNote(std::move(reason));
  }
  return table.Render(paint, kUnlimited);
}

}  // namespace

std::string WatchText(const FleetView& view, const Paint& paint, bool unicode) {
  std::string out = view.time_text + "  " + paint(InkOf(view.headline.state), view.headline.text);
  out += "\n";
  const std::string totals = TotalsText(view);
  if (!totals.empty()) out += "  " + paint(Ink::kDim, totals) + "\n";
  out +=
      Section(view.replicas, ReplicaColumns(view, {.unicode = unicode, .pictures = false}), paint);
  out += Section(view.gateways, GatewayColumns(view), paint);
  out += Section(view.gpu_pages, GpuColumns(view), paint);
  for (const signals::Finding& finding : view.summary.findings) {
    out += "  " + paint(Ink::kWarn, "! " + Printable(finding.text)) + "\n";
  }
  return out;
}

}  // namespace firstword::cli
