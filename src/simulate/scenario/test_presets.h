#pragma once

#include <gtest/gtest.h>

#include "simulate/presets/presets.h"

namespace firstword::simulate {

inline const Presets& BuiltinPresets() {
  static const Result<Presets> presets = Presets::LoadBuiltin();
  EXPECT_TRUE(presets) << presets.error().message;
  return *presets;
}

}  // namespace firstword::simulate
