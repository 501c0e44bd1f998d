#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "dialect/canonical_source.h"
#include "promql/labels.h"
#include "signals/histogram.h"

namespace firstword::signals {

// What a counter did over the rows of a window: the sum of its increments, where a
// fall means a restart and counts from zero. No extrapolation.
struct CounterChange {
  double first = 0;
  double last = 0;
  double increase = 0;
  double seconds = 0;  // between the first and the last sample; > 0
  // The rows between which it fell, if it did.
  bool reset = false;
  TimestampMs reset_after = 0;
  TimestampMs reset_before = 0;

  [[nodiscard]] double Rate() const { return increase / seconds; }
};
// nullopt with fewer than two samples.
[[nodiscard]] std::optional<CounterChange> ChangeOf(std::span<const TimestampMs> times,
                                                    std::span<const double> values);

// One label set of a signal beyond the replica's own: outcome="length", gpu="0", rank="1".
struct LabelledValue {
  promql::Labels labels;
  std::optional<double> value;  // gauge: newest; counter: since start
  std::optional<CounterChange> change;
  std::optional<Histogram> histogram;
};

// One canonical signal of one replica (or one page of GPUs) over a window.
struct SignalValue {
  const dialect::SignalDef* def = nullptr;

  // Where it comes from.
  std::vector<std::string> source;  // raw names behind the newest row
  std::string dialect;
  std::string population;  // histograms
  std::string note;
  TimestampMs newest = 0;   // time of the newest sample
  std::size_t copies = 1;   // raw series per value that were copies of one
  std::size_t dropped = 0;  // impossible values left out
  double last_dropped = 0;

  // Over all label sets, combined by the catalog's rank rule.
  std::optional<double> value;     // gauge: newest; counter: since the engine's start
  std::optional<double> mean;      // gauges combined by max: the mean over ranks, when several
  std::optional<double> increase;  // counters, in the window; nullopt with one scrape
  std::optional<double> rate;      // per second
  bool reset = false;              // the engine restarted in the window
  // Histograms: of the window where there are two scrapes, else since the start.
  std::optional<Histogram> histogram;
  bool lifetime = false;
  // A histogram's _sum fell while _count rose: negative observations, not a restart.
  bool invalid_sum = false;

  std::vector<LabelledValue> by;  // one entry a label set; at least one
};

// Everything known of one replica at a moment.
struct ReplicaSignals {
  promql::Labels key;     // job, instance, replica and other target labels
  promql::Labels labels;  // backend, model when all series agree
  TimestampMs from = 0;   // rows used: first and last
  TimestampMs until = 0;
  std::size_t rows = 0;
  std::map<std::string, SignalValue, std::less<>> values;  // by signal name

  [[nodiscard]] const SignalValue* Find(std::string_view signal) const;
};

// Reads all canonical signals in the window, a ReplicaSignals a replica (GPU pages:
// one a target). Windowed figures need two rows of a series in it.
[[nodiscard]] Result<std::vector<ReplicaSignals>> ReadSignals(dialect::CanonicalSource& source,
                                                              promql::TimeRange window);

}  // namespace firstword::signals
