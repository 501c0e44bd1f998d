#include "cli/report/signal_tables.h"

#include <algorithm>
#include <vector>

#include "cli/report/describe.h"
#include "cli/report/report_sections.h"
#include "cli/text/format.h"
#include "cli/text/table.h"
#include "cli/text/text.h"

namespace firstword::cli {
namespace {

using dialect::SignalType;
using signals::Histogram;
using signals::LabelledValue;
using signals::SignalValue;

constexpr std::size_t kMaxLabelRows = 16;

std::vector<const SignalValue*> OfType(const signals::ReplicaSignals& replica, SignalType type) {
  std::vector<const SignalValue*> values;
  for (const auto& [name, value] : replica.values) {
    if (value.def->type == type) values.push_back(&value);
  }
  // In the order of the catalog, which goes from what matters most; all definitions lie
  // in one array.
  std::sort(values.begin(), values.end(), [](const SignalValue* a, const SignalValue* b) {
    return std::less<>()(a->def, b->def);
  });
  return values;
}

std::string SourceText(const SignalValue& value) {
  std::string text = Join(SourceNames(value), " + ");
  if (value.copies > 1) text += " (" + std::to_string(value.copies) + " copies)";
  return text;
}

// Notes that belong below a row: the dialect's caution, and values that were no values.
void AddNotes(Table& table, const SignalValue& value) {
  if (!value.note.empty()) table.AddNote(value.note);
  if (value.dropped > 0) {
    table.AddNote(Plural(value.dropped, "impossible value") + " left out, the last " +
                  FormatNumber(value.last_dropped));
  }
}

// The label sets of a value, when they say more than their sum does.
std::vector<const LabelledValue*> LabelRows(const SignalValue& value) {
  std::vector<const LabelledValue*> rows;
  if (value.by.size() == 1 && LabelText(value.by.front().labels).empty()) return rows;
  for (const LabelledValue& one : value.by) {
    if (!one.labels.empty()) rows.push_back(&one);
  }
  return rows;
}

template <typename RowOf>
void AddLabelRows(Table& table, const SignalValue& value, RowOf row_of) {
  const std::vector<const LabelledValue*> rows = LabelRows(value);
  const std::size_t shown = std::min(rows.size(), kMaxLabelRows);
  for (std::size_t i = 0; i < shown; ++i) table.AddRow(row_of(*rows[i]));
  if (shown < rows.size()) {
    table.AddRow({"    and " + std::to_string(rows.size() - shown) + " more"});
  }
}

std::string LabelCell(const LabelledValue& one) {
  const std::string text = LabelText(one.labels);
  return "    " + Printable(text.empty() ? "rank=0" : text);
}

std::string Section(const Paint& paint, std::string_view title, std::string_view remark,
                    const Table& table, std::size_t width) {
  if (table.empty()) return {};
  return SectionHeading(title, remark, paint) + table.Render(paint, width);
}

std::string Gauges(const signals::ReplicaSignals& replica, const Paint& paint, std::size_t width,
                   bool by_gpu) {
  Table table({{.title = ""},
               {.title = "", .align = Table::Align::kRight},
               {.title = "", .ink = Ink::kDim}});
  for (const SignalValue* value : OfType(replica, SignalType::kGauge)) {
    const std::string_view unit = value->def->unit;
    std::string text = FormatOptional(value->value, unit);
    if (value->mean) text += " (mean " + FormatValue(*value->mean, unit) + ")";
    table.AddRow({value->def->name, text, SourceText(*value)});
    AddNotes(table, *value);
    if (by_gpu) continue;
    AddLabelRows(table, *value, [&](const LabelledValue& one) -> std::vector<std::string> {
      return {LabelCell(one), FormatOptional(one.value, unit)};
    });
  }
  return Section(paint, "Now", "", table, width);
}

// The unit stands once, beside the total; only bytes need theirs to be read.
std::string BareText(const std::optional<double>& value, std::string_view unit) {
  return FormatOptional(value, unit == "bytes" ? unit : "count");
}

std::string Counters(const signals::ReplicaSignals& replica, const Paint& paint, std::size_t width,
                     bool by_gpu) {
  const bool windowed = replica.rows > 1;
  std::vector<Table::Column> columns = {{.title = ""}};
  if (windowed) {
    columns.push_back({.title = "window", .align = Table::Align::kRight});
    columns.push_back({.title = "per s", .align = Table::Align::kRight});
  }
  columns.push_back({.title = windowed ? "since start" : "", .align = Table::Align::kRight});
  columns.push_back({.title = "", .ink = Ink::kDim});
  Table table(std::move(columns));
  for (const SignalValue* value : OfType(replica, SignalType::kCounter)) {
    const std::string_view unit = value->def->unit;
    std::vector<std::string> row = {value->def->name};
    if (windowed) {
      row.push_back(BareText(value->increase, unit));
      row.push_back(BareText(value->rate, unit));
    }
    row.push_back(FormatOptional(value->value, unit));
    row.push_back(SourceText(*value) + (value->reset ? " (restarted in the window)" : ""));
    table.AddRow(std::move(row));
    AddNotes(table, *value);
    if (by_gpu) continue;
    AddLabelRows(table, *value, [&](const LabelledValue& one) {
      std::vector<std::string> cells = {LabelCell(one)};
      if (windowed) {
        const auto& change = one.change;
        cells.push_back(change ? BareText(change->increase, unit) : std::string(kAbsent));
        cells.push_back(change ? BareText(change->Rate(), unit) : std::string(kAbsent));
      }
      cells.push_back(FormatOptional(one.value, unit));
      return cells;
    });
  }
  return Section(paint, "Counted", windowed ? "" : "since the start", table, width);
}

// An interval that rests on a handful of requests is marked.
std::string QuantileCell(const Histogram& histogram, double q, std::string_view unit,
                         bool& marked) {
  const std::optional<signals::Interval> interval = histogram.Quantile(q);
  if (!interval) return std::string(kAbsent);
  std::string text = FormatInterval(*interval, unit);
  if (histogram.Resolves(q)) return text;
  marked = true;
  return text + "*";
}

std::string Histograms(const signals::ReplicaSignals& replica, const Paint& paint,
                       std::size_t width, bool seconds) {
  using Align = Table::Align;
  const bool wide = width >= 96;
  Table table({{.title = ""},
               {.title = "count", .align = Align::kRight},
               {.title = "mean", .align = Align::kRight},
               {.title = "p50", .align = Align::kRight},
               {.title = wide ? "p90" : "", .align = Align::kRight},
               {.title = "p99", .align = Align::kRight}});
  bool marked = false;
  bool lifetime = true;
  for (const SignalValue* value : OfType(replica, SignalType::kHistogram)) {
    if ((value->def->unit == "s") != seconds || !value->histogram) continue;
    lifetime = lifetime && value->lifetime;
    const Histogram& histogram = *value->histogram;
    const std::string_view unit = value->def->unit;
    const std::optional<double> mean = histogram.Mean();
    table.AddRow({value->def->name, FormatOptional(histogram.count(), "count"),
                  !mean     ? std::string(kAbsent)
                  : seconds ? FormatSeconds(*mean)
                            : FormatNumber(*mean),
                  QuantileCell(histogram, 0.5, unit, marked),
                  wide ? QuantileCell(histogram, 0.9, unit, marked) : std::string(),
                  QuantileCell(histogram, 0.99, unit, marked)});
    std::string note = SourceText(*value);
    if (!value->population.empty()) note += ": " + PopulationText(value->population);
    if (value->invalid_sum) note += "; its sum fell, so the mean is doubtful";
    table.AddNote(std::move(note));
    AddNotes(table, *value);
  }
  std::string out = Section(paint, seconds ? "Latency" : "Sizes in tokens",
                            lifetime ? "since the start" : "in the window", table, width);
  if (marked) {
    out += paint(Ink::kDim, "  * fewer requests than this percentile needs: the tail of a handful");
    out += "\n";
  }
  return out;
}

}  // namespace

std::string SignalTables(const signals::ReplicaSignals& replica, const Paint& paint,
                         std::size_t width, bool by_gpu) {
  return Gauges(replica, paint, width, by_gpu) + Histograms(replica, paint, width, true) +
         Counters(replica, paint, width, by_gpu) + Histograms(replica, paint, width, false);
}

}  // namespace firstword::cli
