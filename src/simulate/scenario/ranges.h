#pragma once

#include <span>
#include <string_view>

#include "yaml/reader.h"

namespace firstword::simulate {

// What a number may be.
struct Range {
  std::string_view key;
  double min;
  double max;
};

// Of a traffic, a workload, an event, a node, its "set", its "speculation" and its "host":
// outside of them a number means nothing (a clock that stands still) or takes the machine
// down (a billion workers). Types are checked elsewhere.
[[nodiscard]] std::span<const Range> TrafficRanges();
[[nodiscard]] std::span<const Range> WorkloadRanges();
[[nodiscard]] std::span<const Range> EventRanges();
[[nodiscard]] std::span<const Range> NodeRanges();
[[nodiscard]] std::span<const Range> EngineRanges();

// Checks the keys of `map` that are there; of a spread all of its numbers. Maps inside are
// checked by the same list.
void CheckRanges(const yaml::Node& map, std::span<const Range> ranges, yaml::Faults& faults);

}  // namespace firstword::simulate
