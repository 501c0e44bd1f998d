#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "simulate/presets/presets.h"
#include "simulate/scenario/scenarios.h"

// What does not load says where; what loads keeps the promises of scenario.h.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace firstword::simulate;
  static const firstword::Result<Presets> presets = Presets::LoadBuiltin();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const firstword::Result<Scenario> scenario = ParseScenario(text, "fuzz", *presets);
  if (!scenario) {
    CHECK(scenario.error().message.starts_with("fuzz:"));
    return 0;
  }
  CHECK(!scenario->nodes.empty());
  CHECK(scenario->onset < scenario->duration);
  SimTime before{};
  for (const EventSpec& event : scenario->events) {
    CHECK(event.at >= before && event.at < scenario->duration);
    before = event.at;
  }
  return 0;
}
