#include "simulate/pages/page_writer.h"

#include <algorithm>
#include <optional>

#include "dialect/catalog.h"
#include "simulate/pages/label_writer.h"
#include "simulate/pages/number_text.h"

namespace firstword::simulate {
namespace {

using dialect::ExportType;
using dialect::PageFamily;
using dialect::PageRow;
using dialect::Per;
using dialect::Writer;

constexpr std::string_view kTotal = "_total";

bool IsDistribution(const PageFamily& family) {
  return family.type == ExportType::kHistogram || family.type == ExportType::kSummary;
}

// A histogram's or a summary's numbers, in the unit they are printed in.
struct Totals {
  double sum = 0;
  std::uint64_t count = 0;
};

class PageText {
 public:
  PageText(const dialect::PageSpec& page, const ReplicaView& view, std::string& out)
      : page_(page), view_(view), out_(out) {}

  void WriteFamily(const PageFamily& family);

 private:
  template <typename Function>
  void ForEachRow(const PageFamily& family, Function function);

  void WriteHead(std::string_view name, std::string_view help, std::string_view type);
  void WriteSample(std::string_view name, std::string_view suffix, double value);
  void WriteBuckets(const PageFamily& family, const PageRow& row, const RowOwner& owner);
  void WriteRow(const PageFamily& family, const PageRow& row, const RowOwner& owner);
  void WriteDistribution(const PageFamily& family, const PageRow& row, const RowOwner& owner);
  void WriteCreated(const PageFamily& family);
  // With prometheus_client's files of several processes, sums come before all the rest.
  void WriteSumsFirst(const PageFamily& family);

  [[nodiscard]] std::optional<double> Read(const PageFamily& family, const PageRow& row,
                                           const RowOwner& owner) const;
  [[nodiscard]] std::optional<double> ReadGateway(const Quantity& quantity, const PageRow& row,
                                                  const RowOwner& owner) const;
  // Nothing, too, where `from_first` still keeps the row away.
  [[nodiscard]] std::optional<double> ReadPresent(const PageFamily& family, const PageRow& row,
                                                  const RowOwner& owner) const;
  [[nodiscard]] std::optional<Totals> ReadTotals(const PageFamily& family, const PageRow& row,
                                                 const RowOwner& owner) const;
  [[nodiscard]] std::uint32_t end_rank(const PageFamily& family, const RowOwner& owner) const {
    return family.per == Per::kReplica ? view_.recorder->ranks() : owner.rank + 1;
  }

  const dialect::PageSpec& page_;
  const ReplicaView& view_;
  std::string& out_;
  LabelTexts labels_;
};

// A gateway's row is of one server where a label names it.
bool OfOneServer(const PageRow& row) {
  return std::ranges::any_of(row.labels, [](const dialect::PageLabel& label) {
    return std::ranges::any_of(label.value.pieces, [](const dialect::LabelText::Piece& piece) {
      return piece.variable == dialect::Variable::kWorker ||
             piece.variable == dialect::Variable::kInstance;
    });
  });
}

double ToUnit(double value, std::string_view from, std::string_view to) {
  if (to.empty()) return value;
  const std::optional<double> scale = dialect::UnitScale(from, to);
  return scale ? dialect::Rescaler(*scale)(value) : value;
}

// Ranks together, as the quantity says.
double MergeRanks(const Quantity& quantity, const ReplicaView& view) {
  double sum = 0;
  const std::uint32_t ranks = view.recorder->ranks();
  for (std::uint32_t i = 0; i < ranks; ++i) {
    const double value = quantity.read({*view.recorder, i, view.now_unix_s});
    if (quantity.merge == Merge::kFirst) return value;
    sum += value;
  }
  return quantity.merge == Merge::kMean ? sum / ranks : sum;
}

// On a page without a replica there is still the time.
std::optional<double> ReadWithoutReplica(const Quantity& quantity, const ReplicaView& view) {
  if (quantity.name == "now") return view.now_unix_s;
  return std::nullopt;
}

// Of one server, or of all together.
std::optional<double> PageText::ReadGateway(const Quantity& quantity, const PageRow& row,
                                            const RowOwner& owner) const {
  if (owner.server == nullptr) return std::nullopt;
  if (OfOneServer(row)) return quantity.read_gateway(*owner.server);
  double sum = 0;
  for (const GatewayReading& server : view_.servers) sum += quantity.read_gateway(server);
  return sum;
}

std::optional<double> PageText::Read(const PageFamily& family, const PageRow& row,
                                     const RowOwner& owner) const {
  if (row.value.quantity.empty()) return row.value.number;
  const Quantity* quantity = FindQuantity(row.value.quantity);
  if (quantity == nullptr) return std::nullopt;
  std::optional<double> value;
  if (quantity->scope == Scope::kGpu) {
    if (owner.gpu != nullptr) value = quantity->read_gpu(*owner.gpu);
  } else if (quantity->scope == Scope::kGateway) {
    value = ReadGateway(*quantity, row, owner);
  } else if (view_.recorder == nullptr) {
    value = ReadWithoutReplica(*quantity, view_);
  } else if (family.per == Per::kRank) {
    value = quantity->read({*view_.recorder, owner.rank, view_.now_unix_s});
  } else {
    value = MergeRanks(*quantity, view_);
  }
  if (value) value = ToUnit(*value, quantity->unit, family.unit);
  return value;
}

std::optional<double> PageText::ReadPresent(const PageFamily& family, const PageRow& row,
                                            const RowOwner& owner) const {
  const std::optional<double> value = Read(family, row, owner);
  if (!value || !family.from_first || *value != 0) return value;
  // A gauge that was set once stays.
  const bool was_set = family.type == ExportType::kGauge && view_.recorder != nullptr &&
                       view_.recorder->rank(owner.rank).steps > 0;
  return was_set ? value : std::nullopt;
}

std::optional<Totals> PageText::ReadTotals(const PageFamily& family, const PageRow& row,
                                           const RowOwner& owner) const {
  if (row.value.quantity.empty()) {
    return family.from_first ? std::nullopt : std::optional(Totals{});
  }
  const std::optional<Distribution> distribution = FindDistribution(row.value.quantity);
  if (!distribution) return std::nullopt;
  Totals totals;
  if (InfoOf(*distribution).scope == Scope::kGateway) {
    if (owner.server == nullptr) return std::nullopt;
    totals = {owner.server->duration_sum_s, owner.server->duration_count};
    if (family.from_first && totals.count == 0) return std::nullopt;
    return totals;
  }
  if (view_.recorder == nullptr) return std::nullopt;
  for (std::uint32_t i = owner.rank; i < end_rank(family, owner); ++i) {
    const DistributionTotals& one =
        view_.recorder->rank(i).distributions[static_cast<std::size_t>(*distribution)];
    totals.sum += one.sum;
    totals.count += one.count;
  }
  if (family.from_first && totals.count == 0) return std::nullopt;
  totals.sum = ToUnit(totals.sum, InfoOf(*distribution).unit, family.unit);
  return totals;
}

template <typename Function>
void PageText::ForEachRow(const PageFamily& family, Function function) {
  RowOwner owner{.view = view_, .version = page_.version};
  const auto write = [&] {
    for (const PageRow& row : family.rows) function(row, owner);
  };
  if (family.per == Per::kGpu) {
    for (const GpuReading& gpu : view_.gpus) {
      owner.gpu = &gpu;
      write();
    }
  } else if (!view_.servers.empty()) {
    for (const PageRow& row : family.rows) {
      for (const GatewayReading& server : view_.servers) {
        owner.server = &server;
        function(row, owner);
        if (!OfOneServer(row)) break;
      }
    }
  } else if (family.per == Per::kReplica || view_.recorder == nullptr) {
    write();
  } else {
    for (owner.rank = 0; owner.rank < view_.recorder->ranks(); ++owner.rank) write();
  }
}

void PageText::WriteHead(std::string_view name, std::string_view help, std::string_view type) {
  if (!help.empty()) {
    out_ += "# HELP ";
    out_ += name;
    out_ += ' ';
    for (const char c : help) {
      if (c == '\\' || (c == '"' && page_.writer == Writer::kOpenMetrics)) out_ += '\\';
      if (c == '\n') {
        out_ += "\\n";
      } else {
        out_ += c;
      }
    }
    out_ += '\n';
  }
  out_ += "# TYPE ";
  out_ += name;
  out_ += ' ';
  out_ += type;
  out_ += '\n';
}

void PageText::WriteSample(std::string_view name, std::string_view suffix, double value) {
  out_ += name;
  out_ += suffix;
  const bool has_before = !labels_.before.empty();
  if (has_before || !labels_.after.empty()) {
    out_ += '{';
    out_ += labels_.before;
    // The comma is there for `le`.
    if (labels_.after.empty()) {
      out_.pop_back();
    } else {
      out_.append(labels_.after, 1);
    }
    out_ += '}';
  }
  out_ += ' ';
  AppendNumber(page_.writer, value, out_);
  out_ += '\n';
}

void PageText::WriteBuckets(const PageFamily& family, const PageRow& row, const RowOwner& owner) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i <= family.bounds.size(); ++i) {
    if (row.histogram >= 0 && owner.server != nullptr) {
      count += owner.server->buckets[static_cast<std::size_t>(row.histogram)][i];
    } else if (row.histogram >= 0) {
      for (std::uint32_t rank = owner.rank; rank < end_rank(family, owner); ++rank) {
        count += view_.recorder->buckets(rank, static_cast<std::size_t>(row.histogram))[i];
      }
    }
    out_ += family.name;
    out_ += "_bucket{";
    out_ += labels_.before;
    out_ += "le=\"";
    if (i == family.bounds.size()) {
      out_ += "+Inf";
    } else {
      AppendBound(page_.writer, family.bounds[i], out_);
    }
    out_ += '"';
    out_ += labels_.after;
    out_ += "} ";
    AppendNumber(page_.writer, static_cast<double>(count), out_);
    out_ += '\n';
  }
}

void PageText::WriteDistribution(const PageFamily& family, const PageRow& row,
                                 const RowOwner& owner) {
  const std::optional<Totals> totals = ReadTotals(family, row, owner);
  if (!totals) return;
  WriteLabels(row.labels, owner, page_.writer, labels_);
  const auto sum = [&] { WriteSample(family.name, "_sum", totals->sum); };
  const auto count = [&] {
    WriteSample(family.name, "_count", static_cast<double>(totals->count));
  };
  const auto buckets = [&] {
    if (family.type == ExportType::kHistogram) WriteBuckets(family, row, owner);
  };
  switch (page_.writer) {
    case Writer::kPython:
      buckets(), count(), sum();
      break;
    case Writer::kPythonMultiprocess:
      buckets(), count();
      break;
    case Writer::kOpenMetrics:
      sum(), count(), buckets();
      break;
    case Writer::kCpp:
      count(), sum(), buckets();
      break;
    case Writer::kGo:
    case Writer::kPlain:
      buckets(), sum(), count();
      break;
  }
}

void PageText::WriteRow(const PageFamily& family, const PageRow& row, const RowOwner& owner) {
  if (IsDistribution(family)) {
    WriteDistribution(family, row, owner);
  } else if (const std::optional<double> value = ReadPresent(family, row, owner)) {
    WriteLabels(row.labels, owner, page_.writer, labels_);
    WriteSample(family.name, {}, *value);
  }
}

void PageText::WriteSumsFirst(const PageFamily& family) {
  ForEachRow(family, [&](const PageRow& row, const RowOwner& owner) {
    const std::optional<Totals> totals = ReadTotals(family, row, owner);
    if (!totals) return;
    WriteLabels(row.labels, owner, page_.writer, labels_);
    WriteSample(family.name, "_sum", totals->sum);
  });
}

void PageText::WriteCreated(const PageFamily& family) {
  std::string name(family.name);
  if (family.type == ExportType::kCounter && name.ends_with(kTotal)) {
    name.resize(name.size() - kTotal.size());
  }
  name += "_created";
  WriteHead(name, family.help, "gauge");
  const double created = view_.recorder == nullptr ? 0 : view_.recorder->facts().start_unix_s;
  ForEachRow(family, [&](const PageRow& row, const RowOwner& owner) {
    const bool is_there = IsDistribution(family) ? ReadTotals(family, row, owner).has_value()
                                                 : ReadPresent(family, row, owner).has_value();
    if (!is_there) return;
    WriteLabels(row.labels, owner, page_.writer, labels_);
    WriteSample(name, {}, created);
  });
}

void PageText::WriteFamily(const PageFamily& family) {
  const std::size_t begin = out_.size();
  std::string_view name = family.name;
  std::string_view type = ExportTypeName(family.type);
  if (page_.writer == Writer::kOpenMetrics) {
    if (family.type == ExportType::kCounter && name.ends_with(kTotal)) {
      name.remove_suffix(kTotal.size());
    }
    if (family.type == ExportType::kUntyped) type = "unknown";
  }
  WriteHead(name, family.help, type);
  const std::size_t head_end = out_.size();
  if (IsDistribution(family) && page_.writer == Writer::kPythonMultiprocess) {
    WriteSumsFirst(family);
  }
  ForEachRow(family,
             [&](const PageRow& row, const RowOwner& owner) { WriteRow(family, row, owner); });
  if (out_.size() == head_end) {
    out_.resize(begin);
  } else if (family.created) {
    WriteCreated(family);
  }
}

void Rename(std::string_view from, std::string_view to, std::size_t begin, std::string& text) {
  for (std::size_t at = text.find(from, begin); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

void AppendMetricsPage(const dialect::PageSpec& page, const ReplicaView& view, std::string& out) {
  const std::size_t begin = out.size();
  PageText text(page, view, out);
  for (const PageFamily& family : page.families) text.WriteFamily(family);
  if (page.writer == Writer::kOpenMetrics) out += "# EOF\n";
  for (const auto& [from, to] : page.rename) Rename(from, to, begin, out);
}

std::string WriteMetricsPage(const dialect::PageSpec& page, const ReplicaView& view) {
  std::string out;
  AppendMetricsPage(page, view, out);
  return out;
}

std::string WriteGpuPage(const dialect::PageSpec& page, std::span<const GpuReading> gpus,
                         double now_unix_s) {
  return WriteMetricsPage(page, {.gpus = gpus, .now_unix_s = now_unix_s});
}

std::string_view ContentTypeOf(Writer writer) {
  return writer == Writer::kOpenMetrics
             ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
             : "text/plain; version=0.0.4; charset=utf-8";
}

}  // namespace firstword::simulate
