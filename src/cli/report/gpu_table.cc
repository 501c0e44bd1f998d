#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "cli/report/signal_tables.h"
#include "cli/text/format.h"
#include "cli/text/table.h"
#include "cli/text/text.h"

namespace firstword::cli {
namespace {

using signals::LabelledValue;

struct GpuKey {
  std::string gpu;
  std::string mig;
  std::string uuid;

  // "2" before "10".
  friend bool operator<(const GpuKey& a, const GpuKey& b) {
    const auto rank = [](const GpuKey& key) {
      return std::tuple(key.gpu.size(), key.gpu, key.mig, key.uuid);
    };
    return rank(a) < rank(b);
  }
};

using Cells = std::map<std::string, std::string, std::less<>>;  // by signal name

struct GpuColumn {
  std::string_view title;
  std::string_view signal;
};
constexpr GpuColumn kColumns[] = {{"util", "gpu:utilization_ratio"},
                                  {"SM", "gpu:sm_active_ratio"},
                                  {"tensor", "gpu:tensor_active_ratio"},
                                  {"DRAM", "gpu:dram_active_ratio"},
                                  {"memory", "gpu:memory_used_bytes"},
                                  {"of", "gpu:memory_total_bytes"},
                                  {"power", "gpu:power_watts"},
                                  {"limit", "gpu:power_limit_watts"},
                                  {"temp", "gpu:temperature_celsius"},
                                  {"clock", "gpu:sm_clock_hertz"},
                                  {"XID", "gpu:xid_code"}};

bool IsShown(std::string_view signal) {
  return std::any_of(std::begin(kColumns), std::end(kColumns),
                     [&](const GpuColumn& column) { return column.signal == signal; });
}

}  // namespace

std::string GpuTable(const signals::ReplicaSignals& page, const Paint& paint, std::size_t width) {
  std::map<GpuKey, Cells> gpus;
  std::map<GpuKey, std::string> models;
  Cells present;
  for (const auto& [name, signal] : page.values) {
    for (const LabelledValue& one : signal.by) {
      const GpuKey key{std::string(one.labels.Get("gpu")), std::string(one.labels.Get("mig")),
                       std::string(one.labels.Get("uuid"))};
      const std::string_view model = one.labels.Get("gpu_model");
      if (!model.empty()) models[key] = Printable(model);
      if (!one.value || !IsShown(name)) continue;
      gpus[key][name] = FormatValue(*one.value, signal.def->unit);
      present[name];
    }
  }
  if (gpus.empty()) return {};

  std::vector<Table::Column> columns = {{.title = "GPU"}};
  for (const GpuColumn& column : kColumns) {
    if (present.contains(column.signal)) {
      columns.push_back({.title = std::string(column.title), .align = Table::Align::kRight});
    }
  }
  Table table(std::move(columns));
  for (const auto& [key, cells] : gpus) {
    std::string name = key.gpu.empty() ? Shorten(Printable(key.uuid), 12) : Printable(key.gpu);
    if (!key.mig.empty()) name += "/" + Printable(key.mig);
    if (const auto model = models.find(key); model != models.end()) name += " " + model->second;
    std::vector<std::string> row = {Shorten(name, 30)};
    for (const GpuColumn& column : kColumns) {
      if (!present.contains(column.signal)) continue;
      const auto cell = cells.find(column.signal);
      row.push_back(cell == cells.end() ? std::string(kAbsent) : cell->second);
    }
    table.AddRow(std::move(row));
  }
  return "\n" + paint(Ink::kBold, Plural(gpus.size(), "GPU")) + "\n" + table.Render(paint, width);
}

}  // namespace firstword::cli
