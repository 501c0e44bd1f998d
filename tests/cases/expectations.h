#pragma once

#include <simdjson.h>

#include <string>
#include <string_view>
#include <vector>

#include "case_run.h"

namespace firstword::cases {

// What scoring a case brought to light.
struct Score {
  std::size_t asserted = 0;           // expectations that were compared
  std::vector<std::string> failures;  // "what was expected, what came"
  std::vector<std::string> later;     // keys that later parts of the product answer

  void Check(bool holds, const std::string& failure) {
    ++asserted;
    if (!holds) failures.push_back(failure);
  }
};

struct Question {
  std::string text;
  std::vector<std::string> targets;  // named ones
};

// Every key of expected.json. One that has no rule is a failure.
void CheckExpected(CaseRun& run, const Question& question, simdjson::dom::object expected,
                   Score& score);

// One entry of `values`: a number, null (no data) or a map of times.
void CheckFigure(CaseRun& run, const Question& question, std::string_view key,
                 simdjson::dom::element want, Score& score);
// `canonical`: a value, values by time, or the raw name behind a signal.
void CheckCanonical(CaseRun& run, std::string_view word, simdjson::dom::element want, Score& score);
// {"known": false, "at_least": 30, "share_above_top_bucket": 0.12} of a quantile.
void CheckQuantileDoubt(CaseRun& run, const Question& question, std::string_view key,
                        simdjson::dom::object want, Score& score);

void CheckAnswer(CaseRun& run, const Question& question, std::string_view answer, Score& score);
void CheckSaid(CaseRun& run, const Question& question, std::string_view sentence, Score& score);
void CheckNotSaid(CaseRun& run, const Question& question, std::string_view claim, Score& score);

[[nodiscard]] bool Near(double a, double b);                  // within 0.5 %
[[nodiscard]] std::string Text(std::optional<double> value);  // "no data" for none
// The figure that a key of `values` asks for; nullopt inside: no data.
struct Found {
  bool known_key = false;
  std::optional<double> value;
  std::optional<signals::Interval> interval;  // of a quantile
};
[[nodiscard]] Found FindFigure(CaseRun& run, const Question& question, std::string_view key);

}  // namespace firstword::cases
