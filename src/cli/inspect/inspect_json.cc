#include "cli/inspect/inspect_json.h"

#include "cli/report/describe.h"
#include "cli/report/report_json.h"

namespace firstword::cli {
namespace {

// `signals` and `ttft` of a replica; a page without any has empty ones.
void WriteReplicaFields(JsonWriter& json, const signals::TargetReport& report, std::size_t i) {
  json.Key("signals");
  WriteSignals(json, i < report.replicas.size() ? report.replicas[i] : signals::ReplicaSignals());
  json.Field("prefix_hit_ratio",
             i < report.replicas.size() ? PrefixHitRatio(report.replicas[i]) : std::nullopt);
  json.Key("ttft");
  WriteTtft(json, i < report.decompositions.size() ? report.decompositions[i]
                                                   : signals::TtftDecomposition());
}

void WriteReplicas(JsonWriter& json, const signals::TargetReport& report) {
  json.Key("replicas");
  json.BeginArray();
  for (std::size_t i = 0; i < report.replicas.size(); ++i) {
    json.BeginObject();
    json.Key("key");
    WriteLabels(json, report.replicas[i].key);
    json.Key("labels");
    WriteLabels(json, report.replicas[i].labels);
    WriteReplicaFields(json, report, i);
    json.EndObject();
  }
  json.EndArray();
}

void WriteFaults(JsonWriter& json, const Inspection& inspection) {
  json.Key("faults");
  json.BeginArray();
  for (const exposition::Fault& fault : inspection.faults) {
    json.BeginObject();
    json.Field("line", std::size_t{fault.line});
    json.Field("column", std::size_t{fault.column});
    json.Field("text", fault.message);
    json.EndObject();
  }
  json.EndArray();
  json.Field("fault_count", inspection.fault_count);
}

}  // namespace

std::string InspectJson(const Inspection& inspection) {
  const signals::TargetReport& report = inspection.report;
  JsonWriter json(JsonWriter::Layout::kLines);
  json.BeginObject();
  json.Field("page", inspection.name);
  WriteIdentity(json, report.detections);
  json.Key("headline");
  WriteHeadline(json, inspection.headline);
  json.Field("series", inspection.series);
  json.Field("scrapes", inspection.scrapes);
  json.Key("window_seconds");
  if (inspection.scrapes > 1) {
    json.Number(inspection.window_seconds);
  } else {
    json.Null();
  }
  WriteReplicaFields(json, report, 0);
  if (report.replicas.size() > 1) WriteReplicas(json, report);
  json.Key("absent");
  WriteAbsent(json, report.absent);
  json.Key("findings");
  WriteFindings(json, report.findings);
  WriteFaults(json, inspection);
  json.EndObject();
  return std::move(json).Take() + "\n";
}

}  // namespace firstword::cli
