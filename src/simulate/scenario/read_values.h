#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "simulate/engine/sim_time.h"
#include "simulate/presets/preset_fields.h"

namespace firstword::simulate {

// Where a fault of `key` is to be shown: its value, or the map when the key is absent.
[[nodiscard]] const yaml::Node& PlaceOf(const yaml::Node& map, std::string_view key);

// A text that must be there.
[[nodiscard]] std::string RequireText(FieldReader& fields, std::string_view what,
                                      std::string_view key);
// Lower case letters, digits and "-": names end up in labels, addresses and file names.
[[nodiscard]] std::string ReadName(FieldReader& fields, std::string_view what,
                                   std::string_view key);
// "30s", "1m30s"; `otherwise` when the key is absent.
[[nodiscard]] SimTime ReadTime(FieldReader& fields, std::string_view key, SimTime otherwise);
// A fault at `key` when `word` is not one of `known`. `what` is what they are: "shape".
void CheckKnown(const yaml::Node& map, std::string_view key, std::string_view what,
                std::string_view word, std::span<const std::string_view> known,
                yaml::Faults& faults);

// What a preset of that name says; its fault, which names those that exist, becomes one of
// the file.
template <typename T>
[[nodiscard]] T Unwrap(const yaml::Node& at, const Result<T>& found, yaml::Faults& faults) {
  if (found) return *found;
  faults.Add(at, found.error().message, found.error().hint);
  return T{};
}

}  // namespace firstword::simulate
