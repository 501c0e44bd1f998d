#pragma once

#include <span>
#include <string_view>

namespace firstword::simulate {

// What can be true of a fleet: "healthy", or the label of what is wrong. docs/scenarios.md
// says what each means.
[[nodiscard]] std::span<const std::string_view> ShapeNames();

}  // namespace firstword::simulate
