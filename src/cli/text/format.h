#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "signals/histogram.h"

// Numbers as people read them: "22.37 s", "26 ms", "1.2 M tokens", "49.6 %".

namespace firstword::cli {

// What stands where a figure does not exist. Never "0".
inline constexpr std::string_view kAbsent = "–";

[[nodiscard]] std::string FormatNumber(double value);   // "15", "0.43", "12.3 k"
[[nodiscard]] std::string FormatSeconds(double value);  // "850 µs", "26 ms", "22.37 s", "3 h 5 min"
[[nodiscard]] std::string FormatRatio(double value);    // 0..1 as "49.6 %"

// By the signal's unit word ("s", "ratio", "bytes", "tokens", ...).
[[nodiscard]] std::string FormatValue(double value, std::string_view unit);
// A figure for a narrow column, to one decimal: "0.8", "7.3", "<0.1", "1.23 k".
[[nodiscard]] std::string FormatBrief(double value);

// "5 s .. 10 s", "at least 10 s", "at most 5 ms".
[[nodiscard]] std::string FormatInterval(const signals::Interval& interval, std::string_view unit);
// The same for narrow columns: "5–10 s", ">10 s", "≤5 ms".
[[nodiscard]] std::string FormatIntervalShort(const signals::Interval& interval,
                                              std::string_view unit);

// kAbsent for nullopt.
[[nodiscard]] std::string FormatOptional(const std::optional<double>& value, std::string_view unit);

}  // namespace firstword::cli
