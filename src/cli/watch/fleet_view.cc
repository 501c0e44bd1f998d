#include "cli/watch/fleet_view.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "cli/report/describe.h"
#include "cli/watch/gpu_join.h"

namespace firstword::cli {
namespace {

using signals::Headline;
using signals::ReplicaSignals;
using signals::SignalValue;
using signals::TargetReport;

std::optional<double> ValueOf(const ReplicaSignals& replica, const std::string& signal) {
  const SignalValue* value = replica.Find(signal);
  return value == nullptr ? std::nullopt : value->value;
}

std::optional<double> RateOf(const ReplicaSignals& replica, const std::string& signal) {
  const SignalValue* value = replica.Find(signal);
  return value == nullptr ? std::nullopt : value->rate;
}

std::optional<signals::Interval> QuantileOf(const ReplicaSignals& replica,
                                            const std::string& signal, double q) {
  const SignalValue* value = replica.Find(signal);
  if (value == nullptr || !value->histogram) return std::nullopt;
  return value->histogram->Quantile(q);
}

RowState StateOf(const FleetRow& row, Headline::State headline) {
  if (headline == Headline::State::kWaiting) return RowState::kWaiting;
  if (headline == Headline::State::kUnknown) return RowState::kUnknown;
  const bool idle = row.running.value_or(1) == 0 && row.waiting.value_or(0) == 0;
  return idle ? RowState::kIdle : RowState::kServing;
}

// A headline of one replica of a page that has several.
Headline HeadlineOf(const TargetReport& report, std::size_t replica,
                    const signals::ReportOptions& options) {
  if (report.replicas.size() <= 1) return HeadlineFor(report, options);
  TargetReport one;
  one.target = report.target;
  one.detections = report.detections;
  one.replicas = {report.replicas[replica]};
  if (replica < report.decompositions.size()) {
    one.decompositions = {report.decompositions[replica]};
  }
  one.absent = report.absent;
  return HeadlineFor(one, options);
}

void ReadFigures(FleetRow& row, const ReplicaSignals& signals, const std::string& family) {
  row.running = ValueOf(signals, family + "requests_running");
  row.waiting = ValueOf(signals, family + "requests_waiting");
  row.kv_usage = ValueOf(signals, family + "kv_cache_usage_ratio");
  row.preemptions_per_second = RateOf(signals, family + "preemptions_total");
  row.tokens_per_second = RateOf(signals, family + "generation_tokens_total");
  row.requests_per_second = RateOf(signals, family + "requests_total");
  row.ttft_p50 = QuantileOf(signals, family + "ttft_seconds", 0.5);
  row.ttft_p99 = QuantileOf(signals, family + "ttft_seconds", 0.99);
  row.itl_p99 = QuantileOf(signals, family + "itl_seconds", 0.99);
  if (const SignalValue* ttft = signals.Find(family + "ttft_seconds")) {
    row.lifetime = ttft->lifetime;
  }
}

FleetRow RowFor(const TargetStatus& status, TimestampMs now) {
  FleetRow row;
  row.id = row.name = status.name;
  if (status.last_success != 0) {
    row.age_seconds = static_cast<double>(now - status.last_success) / 1000;
  }
  if (!status.error.empty()) {
    row.state = RowState::kDown;
    row.error = row.headline = status.error;
    row.failing_seconds = static_cast<double>(now - status.failing_since) / 1000;
  }
  return row;
}

class ViewBuilder {
 public:
  explicit ViewBuilder(const FleetViewInput& input) : input_(input) {}

  FleetView Build(std::shared_ptr<const std::vector<TargetReport>> reports) && {
    view_.targets = input_.targets.size();
    view_.time = input_.now;
    view_.options = input_.options;
    for (const TargetStatus& status : input_.targets) {
      if (status.error.empty() && status.last_success != 0) ++view_.answering;
      AddTarget(status, FindReport(*reports, status.labels));
    }
    view_.summary = signals::Summarize(*reports);
    view_.headline = HeadlineFor(view_.summary, *reports, input_.options);
    JoinGpus(view_.replicas, view_.gpu_pages);
    SortRows(view_.replicas, SortOrder::kPain);
    view_.reports = std::move(reports);
    return std::move(view_);
  }

 private:
  static const TargetReport* FindReport(const std::vector<TargetReport>& reports,
                                        const promql::Labels& target) {
    const auto at = std::find_if(reports.begin(), reports.end(), [&](const TargetReport& report) {
      return report.target == target;
    });
    return at == reports.end() ? nullptr : &*at;
  }

  void AddTarget(const TargetStatus& status, const TargetReport* report) {
    // A target that fails now shows no figures, even where older rows are in the window:
    // they would look like news.
    if (!status.error.empty() || report == nullptr || report->detections.empty() ||
        report->replicas.empty()) {
      FleetRow row = RowFor(status, input_.now);
      if (status.error.empty()) {
        row.headline = status.last_success == 0 ? "no answer yet"
                                                : "no engine, gateway or GPU exporter that "
                                                  "firstword knows";
      }
      view_.replicas.push_back(std::move(row));
      return;
    }
    for (std::size_t i = 0; i < report->replicas.size(); ++i) AddReplica(status, *report, i);
  }

  void AddReplica(const TargetStatus& status, const TargetReport& report, std::size_t index) {
    const ReplicaSignals& signals = report.replicas[index];
    FleetRow row = RowFor(status, input_.now);
    row.report = &report;
    row.replica = index;
    row.engine = EngineTextShort(report.detections.front());
    if (report.replicas.size() > 1) {
      row.name += " " + ReplicaText(signals);
      row.id = row.name;
    }
    const Headline headline = HeadlineOf(report, index, input_.options);
    row.headline = headline.text;
    switch (report.detections.front().dialect->kind) {
      case dialect::Kind::kEngine:
        ReadFigures(row, signals, "llm:");
        row.prefix_hits = PrefixHitRatio(signals);
        row.state = StateOf(row, headline.state);
        view_.replicas.push_back(std::move(row));
        break;
      case dialect::Kind::kGateway:
        ReadFigures(row, signals, "gateway:");
        row.state = StateOf(row, headline.state);
        view_.gateways.push_back(std::move(row));
        break;
      case dialect::Kind::kGpu:
        row.gpu = {.utilization = ValueOf(signals, "gpu:utilization_ratio"),
                   .tensor = ValueOf(signals, "gpu:tensor_active_ratio"),
                   .dram = ValueOf(signals, "gpu:dram_active_ratio"),
                   .power_watts = ValueOf(signals, "gpu:power_watts")};
        row.state = RowState::kServing;
        view_.gpu_pages.push_back(std::move(row));
        break;
    }
  }

  const FleetViewInput& input_;
  FleetView view_;
};

double LowerOr(const std::optional<signals::Interval>& interval, double otherwise) {
  return interval ? interval->lower : otherwise;
}

}  // namespace

std::string_view StateWord(RowState state) {
  switch (state) {
    case RowState::kDown:
      return "down";
    case RowState::kWaiting:
      return "waiting";
    case RowState::kUnknown:
      return "unknown";
    case RowState::kServing:
      return "serving";
    case RowState::kIdle:
      return "idle";
  }
  return "";
}

void WaitingHistory::Append(const std::string& id, const std::optional<double>& waiting) {
  std::vector<double>& points = points_[id];
  if (points.size() == max_points_) points.erase(points.begin());
  points.push_back(waiting.value_or(std::numeric_limits<double>::quiet_NaN()));
}

std::vector<double> WaitingHistory::Of(const std::string& id) const {
  const auto at = points_.find(id);
  return at == points_.end() ? std::vector<double>() : at->second;
}

FleetView MakeFleetView(FleetViewInput input) {
  auto reports =
      std::make_shared<const std::vector<TargetReport>>(std::exchange(input.reports, {}));
  return ViewBuilder(input).Build(std::move(reports));
}

std::string_view SortOrderName(SortOrder order) {
  switch (order) {
    case SortOrder::kPain:
      return "pain";
    case SortOrder::kName:
      return "name";
    case SortOrder::kWaiting:
      return "waiting";
    case SortOrder::kTtft:
      return "TTFT";
  }
  return "";
}

void SortRows(std::vector<FleetRow>& rows, SortOrder order) {
  const auto more_waiting = [](const FleetRow& row) { return -row.waiting.value_or(-1); };
  const auto slower = [](const FleetRow& row) { return -LowerOr(row.ttft_p99, -1); };
  std::sort(rows.begin(), rows.end(), [&](const FleetRow& a, const FleetRow& b) {
    const auto rank = [&](const FleetRow& row) {
      switch (order) {
        case SortOrder::kPain:
          return std::tuple(static_cast<double>(row.state), more_waiting(row), slower(row));
        case SortOrder::kWaiting:
          return std::tuple(more_waiting(row), slower(row), 0.0);
        case SortOrder::kTtft:
          return std::tuple(slower(row), more_waiting(row), 0.0);
        case SortOrder::kName:
          break;
      }
      return std::tuple(0.0, 0.0, 0.0);
    };
    const auto left = rank(a);
    const auto right = rank(b);
    return left != right ? left < right : a.id < b.id;
  });
}

}  // namespace firstword::cli
