#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The words that case files use, and the product's names for them. Nothing here knows
// a case: a new case in the same words is scored without a change.

namespace firstword::cases {

// "ttft" -> "llm:ttft_seconds"; nullopt for unknown words.
[[nodiscard]] std::optional<std::string> SignalOf(std::string_view word);
// The signal that a question in plain words is about.
[[nodiscard]] std::optional<std::string> SignalInQuestion(std::string_view question);

// A key of `values`, such as "p99_r1", "itl_mean_t30_t45" or "waited_more_than_5s".
struct Figure {
  enum class Stat : std::uint8_t {
    kValue,
    kRate,
    kIncrease,
    kMean,
    kMax,
    kQuantile,
    kCount,    // observations of a histogram
    kAbove,    // observations above `low`
    kShare,    // share of observations in (low, high]
    kByLabel,  // the part of a signal with label = value
    kRanksKnown,
    kRanksReporting,
    kHitRate,
    kHitRateOf,  // hits from one source, by prompt tokens
    kWrong,      // a figure that must not come out
  };
  Stat stat = Stat::kValue;
  std::string signal;
  std::string target;  // "" all
  std::optional<double> from;
  std::optional<double> to;
  double quantile = 0;
  double low = 0;
  double high = 0;
  std::string label;  // kByLabel
  std::string label_value;
};
// `is_target` tells target names; the question supplies what the key leaves out.
[[nodiscard]] std::optional<Figure> ParseFigure(std::string_view key, std::string_view question,
                                                const std::vector<std::string>& targets);

// A sentence the cases use, the finding that says so, and what its text must hold.
struct Sentence {
  std::vector<std::string_view> words;  // all are in the expectation
  std::string_view code;
  std::vector<std::string_view> text;  // all must be in the finding's text
};
[[nodiscard]] const Sentence* SentenceFor(std::string_view expectation);

// Finding that stands for a label of the diagnosis set; nullopt for a label that only a
// diagnosis can give.
[[nodiscard]] std::optional<std::string_view> FindingForDiagnosis(std::string_view label);
[[nodiscard]] bool IsDiagnosis(std::string_view label);

[[nodiscard]] std::string Lower(std::string_view text);
[[nodiscard]] bool HasWords(std::string_view text, std::string_view words);  // ignoring case
// The numbers in a sentence, in order; a leading 't' ("t15") belongs to none.
[[nodiscard]] std::vector<std::string> NumbersIn(std::string_view text);

}  // namespace firstword::cases
