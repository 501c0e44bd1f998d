#pragma once

#include <string>
#include <vector>

#include "dialect/detect.h"
#include "signals/decomposition.h"
#include "signals/report.h"

// Short phrases that several views share.

namespace firstword::cli {

// "vLLM 0.30.0 or later".
[[nodiscard]] std::string EngineText(const dialect::Detection& detection);
// "vLLM 0.30.0 or later, V1": with the flavour, whose title often repeats the engine's.
[[nodiscard]] std::string EngineAndFlavour(const dialect::Detection& detection);
// "vLLM 0.30.0+", for a narrow column.
[[nodiscard]] std::string EngineTextShort(const dialect::Detection& detection);

// One part of a decomposed TTFT.
struct TtftPart {
  std::string name;  // "frontend", "queue", "prefill"
  double seconds = 0;
  double share = 0;  // of the mean TTFT; may be negative or above 1
};
// Those that are known, in the order they happen.
[[nodiscard]] std::vector<TtftPart> TtftParts(const signals::TtftDecomposition& ttft);

// "TTFT mean 22.37 s = frontend 0.15 + queue 21.96 + prefill 0.26", or as much of it as
// is known; empty without a TTFT.
[[nodiscard]] std::string TtftSentence(const signals::TtftDecomposition& ttft);

// Lengths of time that stand together are written in one unit, that of the longest.
class SecondsTogether {
 public:
  explicit SecondsTogether(const signals::TtftDecomposition& ttft);
  [[nodiscard]] std::string operator()(double seconds) const;  // "0.15", "26.0"
  [[nodiscard]] std::string_view unit() const { return milliseconds_ ? "ms" : "s"; }

 private:
  bool milliseconds_;
};

// "replica=abc, model=x": what tells one label set from another; rank 0 is not said.
[[nodiscard]] std::string LabelText(const promql::Labels& labels);
// What a replica is called: its model and, where it has one, its replica label.
[[nodiscard]] std::string ReplicaText(const signals::ReplicaSignals& replica);

[[nodiscard]] std::string Join(const std::vector<std::string>& parts, std::string_view separator);

// The raw series behind a value: a histogram's family once instead of its three parts.
[[nodiscard]] std::vector<std::string> SourceNames(const signals::SignalValue& value);

// "64 running · 15 waiting · KV 97.3 % · 22 preemptions · 49.6 % prefix hits": what most
// people want to know of a replica, as far as it is there.
[[nodiscard]] std::string KeyFigures(const signals::ReplicaSignals& replica);

// "requests that got as a first token": a histogram's population in words.
[[nodiscard]] std::string PopulationText(std::string_view population);

// Prefix cache hits of all prompt tokens looked up, in the window or, of one scrape,
// since the start; nullopt when none was looked up. From the engine's own gauge where it
// has no counters.
[[nodiscard]] std::optional<double> PrefixHitRatio(const signals::ReplicaSignals& replica);

}  // namespace firstword::cli
