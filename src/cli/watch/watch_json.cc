#include "cli/watch/watch_json.h"

#include "cli/report/report_json.h"

namespace firstword::cli {
namespace {

void WriteIntervalField(JsonWriter& json, std::string_view key,
                        const std::optional<signals::Interval>& interval) {
  json.Key(key);
  WriteInterval(json, interval);
}

void WriteFleetLatency(JsonWriter& json, std::string_view key,
                       const std::optional<signals::Histogram>& histogram) {
  json.Key(key);
  if (!histogram) return json.Null();
  json.BeginObject();
  json.Field("count", histogram->count());
  json.Field("mean", histogram->Mean());
  WriteIntervalField(json, "p50", histogram->Quantile(0.5));
  WriteIntervalField(json, "p99", histogram->Quantile(0.99));
  json.EndObject();
}

void WriteFleet(JsonWriter& json, const FleetView& view) {
  const signals::FleetSummary& sum = view.summary;
  json.BeginObject();
  json.Field("targets", view.targets);
  json.Field("answering", view.answering);
  json.Field("replicas", sum.replicas);
  json.Field("left_out", sum.left_out);
  json.Field("running", sum.running);
  json.Field("waiting", sum.waiting);
  json.Field("kv_usage_mean", sum.kv_usage_mean);
  json.Field("kv_usage_max", sum.kv_usage_max);
  json.Field("kv_usage_max_replica", sum.kv_usage_max_replica);
  WriteFleetLatency(json, "ttft_seconds", sum.ttft);
  WriteFleetLatency(json, "itl_seconds", sum.itl);
  json.Field("generation_tokens_per_second", sum.generation_tokens_per_second);
  json.EndObject();
}

void WriteGpu(JsonWriter& json, const GpuFigures& gpu) {
  json.Key("gpu");
  if (!gpu.any()) return json.Null();
  json.BeginObject();
  json.Field("utilization_ratio", gpu.utilization);
  json.Field("tensor_active_ratio", gpu.tensor);
  json.Field("dram_active_ratio", gpu.dram);
  json.Field("power_watts", gpu.power_watts);
  json.EndObject();
}

void WriteServing(JsonWriter& json, const FleetRow& row) {
  json.Field("running", row.running);
  json.Field("waiting", row.waiting);
  json.Field("kv_usage_ratio", row.kv_usage);
  json.Field("preemptions_per_second", row.preemptions_per_second);
  json.Field("requests_per_second", row.requests_per_second);
  json.Field("generation_tokens_per_second", row.tokens_per_second);
  json.Field("prefix_hit_ratio", row.prefix_hits);
  WriteIntervalField(json, "ttft_p50", row.ttft_p50);
  WriteIntervalField(json, "ttft_p99", row.ttft_p99);
  WriteIntervalField(json, "itl_p99", row.itl_p99);
  json.Field("lifetime", row.lifetime);
}

void WriteRow(JsonWriter& json, const FleetRow& row, bool serving) {
  json.BeginObject();
  json.Field("name", row.name);
  json.Field("state", StateWord(row.state));
  json.Field("headline", row.headline);
  json.Field("age_seconds", row.age_seconds);
  if (row.state == RowState::kDown) {
    json.Field("error", row.error);
    json.Field("failing_seconds", row.failing_seconds);
  }
  if (row.report != nullptr) {
    WriteIdentity(json, row.report->detections);
    json.Key("labels");
    WriteLabels(json, row.report->replicas[row.replica].labels);
    if (serving) WriteServing(json, row);
    if (row.replica < row.report->decompositions.size()) {
      json.Key("ttft");
      WriteTtft(json, row.report->decompositions[row.replica]);
    }
    WriteGpu(json, row.gpu);
    json.Key("findings");
    WriteFindings(json, row.report->findings);
  }
  json.EndObject();
}

void WriteRows(JsonWriter& json, std::string_view key, const std::vector<FleetRow>& rows,
               bool serving) {
  json.Key(key);
  json.BeginArray();
  for (const FleetRow& row : rows) WriteRow(json, row, serving);
  json.EndArray();
}

}  // namespace

std::string WatchJson(const FleetView& view) {
  JsonWriter json(JsonWriter::Layout::kCompact);
  json.BeginObject();
  json.Field("time", static_cast<double>(view.time) / 1000);
  json.Key("headline");
  WriteHeadline(json, view.headline);
  json.Field("window_seconds", view.window_seconds);
  json.Key("fleet");
  WriteFleet(json, view);
  WriteRows(json, "replicas", view.replicas, true);
  WriteRows(json, "gateways", view.gateways, true);
  WriteRows(json, "gpu_pages", view.gpu_pages, false);
  json.Key("findings");
  WriteFindings(json, view.summary.findings);
  json.EndObject();
  return std::move(json).Take() + "\n";
}

}  // namespace firstword::cli
