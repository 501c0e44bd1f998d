#pragma once

#include <string>
#include <string_view>

#include "base/time.h"
#include "promql/labels.h"
#include "signals/histogram.h"

// Numbers as people read them at night: short, with their unit, no false precision.

namespace firstword::signals {

[[nodiscard]] std::string Seconds(double seconds);                 // "250 ms", "1.5 s", "12 min"
[[nodiscard]] std::string Percent(double ratio);                   // "96 %", "0.4 %"
[[nodiscard]] std::string Number(double value);                    // "15", "0.25", "1.2e+09"
[[nodiscard]] std::string Count(double n, std::string_view noun);  // "1 request", "5 requests"
// "between 5 s and 10 s", "at least 30 s", "at most 1 s".
[[nodiscard]] std::string Range(const Interval& seconds);
// How a target is called in a sentence: its instance, else all labels.
[[nodiscard]] std::string NameOf(const promql::Labels& target);
// UTC, to the second: "2026-12-01 09:28:34".
[[nodiscard]] std::string Moment(TimestampMs time);

}  // namespace firstword::signals
