#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "simulate/presets/presets.h"
#include "simulate/scenario/scenario.h"

namespace firstword::simulate {

// A scenario from YAML text; docs/scenarios.md describes the format. Every mistake is
// kParse with file:line:column.
[[nodiscard]] Result<Scenario> ParseScenario(std::string_view yaml, std::string_view file_name,
                                             const Presets& presets);

// The names of scenarios/*.yaml, built into the program, in the order of their names.
[[nodiscard]] std::vector<std::string_view> BuiltinScenarioNames();
// The text of one of them; empty when there is none.
[[nodiscard]] std::string_view BuiltinScenarioText(std::string_view name);

// A built-in one by name, or a file where `name_or_path` has a "/" or ends in .yaml. Fails
// with kInvalid (and the name that was probably meant) or kIo.
[[nodiscard]] Result<Scenario> FindScenario(std::string_view name_or_path, const Presets& presets);

}  // namespace firstword::simulate
