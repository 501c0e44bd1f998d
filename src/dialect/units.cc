#include <cmath>
#include <string_view>

#include "dialect/catalog.h"

namespace firstword::dialect {
namespace {

enum class Quantity : std::uint8_t {
  kDuration,
  kRatio,
  kBytes,
  kFrequency,
  kPower,
  kEnergy,
  kTemperature,
  kTokens,
  kRequests,
  kBlocks,
  kCount,
  kCode,
  kBool,
  kMoment,
};

struct Unit {
  std::string_view word;
  Quantity quantity;
  double factor;  // to the quantity's base unit
};

constexpr Unit kUnits[] = {
    {"s", Quantity::kDuration, 1},
    {"ms", Quantity::kDuration, 1e-3},
    {"us", Quantity::kDuration, 1e-6},
    {"ns", Quantity::kDuration, 1e-9},
    {"ratio", Quantity::kRatio, 1},
    {"percent", Quantity::kRatio, 0.01},
    {"bytes", Quantity::kBytes, 1},
    {"KiB", Quantity::kBytes, 1024},
    {"MiB", Quantity::kBytes, 1024.0 * 1024},
    {"GiB", Quantity::kBytes, 1024.0 * 1024 * 1024},
    {"MB", Quantity::kBytes, 1e6},
    {"Hz", Quantity::kFrequency, 1},
    {"kHz", Quantity::kFrequency, 1e3},
    {"MHz", Quantity::kFrequency, 1e6},
    {"W", Quantity::kPower, 1},
    {"mW", Quantity::kPower, 1e-3},
    {"J", Quantity::kEnergy, 1},
    {"mJ", Quantity::kEnergy, 1e-3},
    {"celsius", Quantity::kTemperature, 1},
    {"tokens", Quantity::kTokens, 1},
    {"requests", Quantity::kRequests, 1},
    {"blocks", Quantity::kBlocks, 1},
    {"count", Quantity::kCount, 1},
    {"code", Quantity::kCode, 1},
    {"bool", Quantity::kBool, 1},
    {"time", Quantity::kMoment, 1},
    {"time_ms", Quantity::kMoment, 1e-3},
};

const Unit* FindUnit(std::string_view word) {
  for (const Unit& unit : kUnits) {
    if (unit.word == word) return &unit;
  }
  return nullptr;
}

}  // namespace

bool IsUnit(std::string_view unit) { return FindUnit(unit) != nullptr; }

std::optional<double> UnitScale(std::string_view from, std::string_view to) {
  const Unit* a = FindUnit(from);
  const Unit* b = FindUnit(to);
  if (a == nullptr || b == nullptr || a->quantity != b->quantity) return std::nullopt;
  return a->factor / b->factor;
}

double BaseScale(std::string_view unit) {
  const Unit* found = FindUnit(unit);
  return found == nullptr ? 1 : found->factor;
}

std::vector<std::string_view> UnitWords() {
  std::vector<std::string_view> words;
  for (const Unit& unit : kUnits) words.push_back(unit.word);
  return words;
}

Rescaler::Rescaler(double scale) : scale_(scale) {
  // 700 * 0.001 is 0.7000000000000001, 700 / 1000 is 0.7.
  const double inverse = std::round(1 / scale);
  if (inverse > 1 && std::abs(inverse * scale - 1) < 1e-9) divisor_ = inverse;
}

}  // namespace firstword::dialect
