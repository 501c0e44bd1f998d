#pragma once

#include <span>

#include "cli/text/json_writer.h"
#include "signals/fleet.h"
#include "signals/report.h"

// Pieces of the JSON that inspect and watch print; docs/inspect.md is the schema. Each
// writes one value.

namespace firstword::cli {

// "engine", "title", "kind", "flavour", "version", "also": fields of an open object.
void WriteIdentity(JsonWriter& json, std::span<const dialect::Detection> detections);

void WriteHeadline(JsonWriter& json, const signals::Headline& headline);
void WriteLabels(JsonWriter& json, const promql::Labels& labels);
// null for nullopt; an open upper end is null.
void WriteInterval(JsonWriter& json, const std::optional<signals::Interval>& interval);
void WriteSignals(JsonWriter& json, const signals::ReplicaSignals& replica);
void WriteTtft(JsonWriter& json, const signals::TtftDecomposition& ttft);
void WriteAbsent(JsonWriter& json, std::span<const signals::AbsentSignal> absent);
void WriteFindings(JsonWriter& json, std::span<const signals::Finding> findings);

}  // namespace firstword::cli
