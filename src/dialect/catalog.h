#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace firstword::dialect {

enum class SignalType : std::uint8_t { kGauge, kCounter, kHistogram };
[[nodiscard]] std::string_view SignalTypeName(SignalType type);

// How the values of several ranks (or models) of one replica make one number.
enum class RankRule : std::uint8_t {
  kSum,    // requests, tokens
  kMax,    // ratios and states: the fullest rank decides; the mean is shown beside it
  kFirst,  // the same for all
};

// Units are written as words: s, ms, us, ns, ratio, percent, bytes, KiB, MiB,
// GiB, MB, Hz, kHz, MHz, W, mW, J, mJ, celsius, tokens, requests, blocks, count,
// code, bool, time (seconds since 1970), time_ms.
// Factor from `from` to `to`; nullopt when they do not measure the same thing.
[[nodiscard]] std::optional<double> UnitScale(std::string_view from, std::string_view to);
[[nodiscard]] bool IsUnit(std::string_view unit);
[[nodiscard]] std::vector<std::string_view> UnitWords();
// Factor to the base unit of what `unit` measures (s, ratio, bytes, ...).
[[nodiscard]] double BaseScale(std::string_view unit);

// Multiplies by a unit scale without rounding noise: 700 ms give 0.7 s exactly.
class Rescaler {
 public:
  explicit Rescaler(double scale);
  [[nodiscard]] double operator()(double value) const {
    return divisor_ == 0 ? value * scale_ : value / divisor_;
  }

 private:
  double scale_;
  double divisor_ = 0;  // 0: multiply instead
};

// One canonical quantity: an entry of dialects/signals.yaml.
struct SignalDef {
  std::string name;    // "llm:ttft_seconds"; histograms without _bucket/_sum/_count
  std::string family;  // "llm", "gpu" or "gateway": the part before the colon
  SignalType type = SignalType::kGauge;
  std::string unit;
  std::string help;                 // one sentence, for people
  std::vector<std::string> labels;  // beyond the family's own, e.g. "reason"
  RankRule ranks = RankRule::kSum;
  // A value outside is not a value: it is dropped and named as a fault.
  std::optional<double> min;
  std::optional<double> max;
  std::string if_absent;  // what cannot be told without it; may be empty
};

// The table of canonical signals. Immutable after load.
class Catalog {
 public:
  // Parses signals.yaml. Errors carry file:line:column.
  [[nodiscard]] static Result<Catalog> Parse(std::string_view yaml, std::string_view file_name);
  // Adds the signals of one more file. Invalidates pointers to signals.
  [[nodiscard]] Result<void> AddYaml(std::string_view yaml, std::string_view file_name);

  [[nodiscard]] const SignalDef* Find(std::string_view name) const;
  [[nodiscard]] std::span<const SignalDef> all() const { return signals_; }

  // The canonical series a name stands for: "llm:ttft_seconds_sum" is the _sum of
  // the histogram llm:ttft_seconds. nullopt for other names; a histogram's bare
  // name is no series.
  enum class Component : std::uint8_t { kValue, kBucket, kSum, kCount };
  struct SeriesName {
    const SignalDef* signal;
    Component component;
  };
  [[nodiscard]] std::optional<SeriesName> Resolve(std::string_view series_name) const;

 private:
  std::vector<SignalDef> signals_;  // in file order; names unique
};

// The labels that canonical series of a family may carry beside the signal's own
// `labels`; empty for an unknown family.
[[nodiscard]] std::span<const std::string_view> FamilyLabels(std::string_view family);

[[nodiscard]] std::string SeriesNameOf(const SignalDef& signal, Catalog::Component component);

}  // namespace firstword::dialect
