#include "simulate/traffic/workload.h"

#include <algorithm>
#include <cmath>

namespace firstword::simulate {

double Spread::Draw(std::mt19937_64& random) const {
  double value = mean;
  switch (shape) {
    case Shape::kFixed:
      break;
    case Shape::kUniform:
      value = std::uniform_real_distribution<double>(min, std::max(min, max))(random);
      break;
    case Shape::kLognormal: {
      const double variance = std::log(1 + cv * cv);
      const double location = std::log(std::max(mean, 1e-9)) - variance / 2;
      value = std::lognormal_distribution<double>(location, std::sqrt(variance))(random);
      break;
    }
    case Shape::kExponential:
      value = std::exponential_distribution<double>(1 / std::max(mean, 1e-9))(random);
      break;
  }
  value = std::max(value, min);
  return max > 0 ? std::min(value, max) : value;
}

std::uint32_t Spread::DrawCount(std::mt19937_64& random) const {
  return static_cast<std::uint32_t>(std::clamp(std::round(Draw(random)), 1.0, 4e9));
}

}  // namespace firstword::simulate
