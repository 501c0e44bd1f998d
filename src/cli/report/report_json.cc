#include "cli/report/report_json.h"

#include <utility>

#include "cli/report/describe.h"

namespace firstword::cli {
namespace {

using dialect::SignalType;
using signals::Histogram;
using signals::LabelledValue;
using signals::SignalValue;

std::string_view StateName(signals::Headline::State state) {
  switch (state) {
    case signals::Headline::State::kGood:
      return "good";
    case signals::Headline::State::kWaiting:
      return "waiting";
    case signals::Headline::State::kUnknown:
      return "unknown";
  }
  return "unknown";
}

void WriteStrings(JsonWriter& json, std::span<const std::string> strings) {
  json.BeginArray();
  for (const std::string& text : strings) json.String(text);
  json.EndArray();
}

void WriteVersion(JsonWriter& json, const dialect::Detection& detection) {
  const auto end = [&](std::string_view key, const std::optional<dialect::Version>& version) {
    json.Key(key);
    if (version) {
      json.String(version->ToString());
    } else {
      json.Null();
    }
  };
  json.BeginObject();
  end("min", detection.versions.min);
  end("max", detection.versions.max);
  json.Key("evidence");
  WriteStrings(json, detection.evidence);
  json.EndObject();
}

void WriteDetection(JsonWriter& json, const dialect::Detection& detection) {
  json.Field("engine", detection.dialect->name);
  json.Field("title", detection.dialect->title);
  json.Field("kind", dialect::KindName(detection.dialect->kind));
  json.Key("flavour");
  if (detection.flavour != nullptr) {
    json.String(detection.flavour->name);
  } else {
    json.Null();
  }
  json.Key("version");
  WriteVersion(json, detection);
}

void WriteHistogram(JsonWriter& json, const Histogram& histogram) {
  json.Field("count", histogram.count());
  json.Field("sum", histogram.sum());
  json.Field("mean", histogram.Mean());
  constexpr std::pair<std::string_view, double> kQuantiles[] = {
      {"p50", 0.5}, {"p90", 0.9}, {"p95", 0.95}, {"p99", 0.99}};
  for (const auto& [name, q] : kQuantiles) {
    json.Key(name);
    WriteInterval(json, histogram.Quantile(q));
  }
}

void WriteLabelled(JsonWriter& json, const LabelledValue& one, SignalType type) {
  json.BeginObject();
  json.Key("labels");
  WriteLabels(json, one.labels);
  if (type == SignalType::kHistogram) {
    if (one.histogram) WriteHistogram(json, *one.histogram);
  } else {
    json.Field("value", one.value);
    if (one.change) {
      json.Field("increase", one.change->increase);
      json.Field("rate", one.change->Rate());
    }
  }
  json.EndObject();
}

void WriteBy(JsonWriter& json, const SignalValue& value) {
  json.Key("by");
  json.BeginArray();
  for (const LabelledValue& one : value.by) WriteLabelled(json, one, value.def->type);
  json.EndArray();
}

void WriteOrigin(JsonWriter& json, const SignalValue& value) {
  const std::vector<std::string> names = SourceNames(value);
  json.Field("source", names.empty() ? std::string() : names.front());
  json.Key("sources");
  WriteStrings(json, value.source);
  if (!value.population.empty()) json.Field("population", value.population);
  if (!value.note.empty()) json.Field("note", value.note);
  if (value.copies > 1) json.Field("copies", value.copies);
  if (value.dropped > 0) {
    json.Field("dropped", value.dropped);
    json.Field("last_dropped", value.last_dropped);
  }
}

void WriteSignal(JsonWriter& json, const SignalValue& value) {
  const SignalType type = value.def->type;
  json.BeginObject();
  json.Field("type", dialect::SignalTypeName(type));
  json.Field("unit", value.def->unit);
  WriteOrigin(json, value);
  if (value.by.size() == 1 && !value.by.front().labels.empty()) {
    json.Key("labels");
    WriteLabels(json, value.by.front().labels);
  }
  if (type == SignalType::kHistogram) {
    json.Field("lifetime", value.lifetime);
    if (value.histogram) WriteHistogram(json, *value.histogram);
    if (value.invalid_sum) json.Field("invalid_sum", true);
  } else {
    json.Field("value", value.value);
    if (value.mean) json.Field("mean", *value.mean);
    if (value.increase) json.Field("increase", *value.increase);
    if (value.rate) json.Field("rate", *value.rate);
  }
  if (value.reset) json.Field("reset", true);
  if (value.by.size() > 1) WriteBy(json, value);
  json.EndObject();
}

}  // namespace

void WriteIdentity(JsonWriter& json, std::span<const dialect::Detection> detections) {
  if (detections.empty()) {
    for (const char* key : {"engine", "title", "kind", "flavour", "version"}) {
      json.Key(key);
      json.Null();
    }
  } else {
    WriteDetection(json, detections.front());
  }
  json.Key("also");
  json.BeginArray();
  for (std::size_t i = 1; i < detections.size(); ++i) {
    json.BeginObject();
    WriteDetection(json, detections[i]);
    json.EndObject();
  }
  json.EndArray();
}

void WriteHeadline(JsonWriter& json, const signals::Headline& headline) {
  json.BeginObject();
  json.Field("state", StateName(headline.state));
  json.Field("text", headline.text);
  json.EndObject();
}

void WriteLabels(JsonWriter& json, const promql::Labels& labels) {
  json.BeginObject();
  for (const promql::Label& label : labels.all()) json.Field(label.name, label.value);
  json.EndObject();
}

void WriteInterval(JsonWriter& json, const std::optional<signals::Interval>& interval) {
  if (!interval) return json.Null();
  json.BeginObject();
  json.Field("lower", interval->lower);
  json.Field("upper", interval->upper);
  json.EndObject();
}

void WriteSignals(JsonWriter& json, const signals::ReplicaSignals& replica) {
  json.BeginObject();
  for (const auto& [name, value] : replica.values) {
    json.Key(name);
    WriteSignal(json, value);
  }
  json.EndObject();
}

void WriteTtft(JsonWriter& json, const signals::TtftDecomposition& ttft) {
  if (!ttft.ttft) return json.Null();
  json.BeginObject();
  json.Field("mean", ttft.ttft);
  json.Field("frontend", ttft.gap);
  json.Field("queue", ttft.queue);
  json.Field("prefill", ttft.prefill);
  if (!ttft.largest.empty()) {
    json.Field("largest", ttft.largest);
    json.Field("largest_share", ttft.largest_share);
  }
  json.Field("mixed_populations", ttft.mixed_populations);
  json.Field("ttft_count", ttft.ttft_count);
  json.Field("parts_count", ttft.parts_count);
  json.Field("lifetime", ttft.lifetime);
  json.EndObject();
}

void WriteAbsent(JsonWriter& json, std::span<const signals::AbsentSignal> absent) {
  json.BeginArray();
  for (const signals::AbsentSignal& one : absent) {
    json.BeginObject();
    json.Field("signal", one.def->name);
    json.Field("why", one.why);
    json.Field("cost", one.cost);
    json.EndObject();
  }
  json.EndArray();
}

void WriteFindings(JsonWriter& json, std::span<const signals::Finding> findings) {
  json.BeginArray();
  for (const signals::Finding& finding : findings) {
    const bool warning = finding.severity == signals::Finding::Severity::kWarning;
    json.BeginObject();
    json.Field("code", finding.code);
    json.Field("severity", warning ? "warning" : "info");
    json.Field("text", finding.text);
    json.Key("series");
    WriteStrings(json, finding.series);
    json.Field("signal", finding.signal);
    json.Field("source", finding.source);
    json.EndObject();
  }
  json.EndArray();
}

}  // namespace firstword::cli
