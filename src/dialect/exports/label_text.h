#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace firstword::dialect {

// What the simulator puts in for a `$name` in the text of a label.
enum class Variable : std::uint8_t {
  kNone,
  kModel,
  kRank,
  kVersion,
  kBlockSize,
  kKvBlocks,
  kKvTokens,
  kMaxModelLen,
  kMaxNumSeqs,
  kMaxConcurrency,
  kGpuMemoryUtilization,
  kPrefixCaching,
  kInstance,
  kWorker,
  kGpu,
  kGpuUuid,
  kGpuModel,
  kGpuDevice,
  kHost,
  kPciBusId,
  kDriver,
};

// "model", "rank", ...: without the '$', in the order of Variable, kNone left out.
[[nodiscard]] std::span<const std::string_view> VariableNames();

// A label's value: pieces of text, each followed by a variable (the last may have none).
struct LabelText {
  struct Piece {
    std::string text;
    Variable variable = Variable::kNone;
  };
  std::vector<Piece> pieces;

  // Fails with kInvalid at a '$' that no variable's name follows.
  [[nodiscard]] static Result<LabelText> Parse(std::string_view text);
};

}  // namespace firstword::dialect
