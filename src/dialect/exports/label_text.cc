#include "dialect/exports/label_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/nearest.h"

namespace firstword::dialect {
namespace {

constexpr std::array<std::string_view, 20> kNames = {"model",           "rank",
                                                     "version",         "block_size",
                                                     "kv_blocks",       "kv_tokens",
                                                     "max_model_len",   "max_num_seqs",
                                                     "max_concurrency", "gpu_memory_utilization",
                                                     "prefix_caching",  "instance",
                                                     "worker",          "gpu",
                                                     "gpu_uuid",        "gpu_model",
                                                     "gpu_device",      "host",
                                                     "pci_bus_id",      "driver"};
static_assert(kNames.size() == static_cast<std::size_t>(Variable::kDriver));

bool IsNamePart(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }

}  // namespace

std::span<const std::string_view> VariableNames() { return kNames; }

Result<LabelText> LabelText::Parse(std::string_view text) {
  LabelText label;
  while (!text.empty()) {
    const std::size_t dollar = text.find('$');
    Piece piece{.text = std::string(text.substr(0, dollar))};
    text.remove_prefix(std::min(dollar, text.size()));
    if (!text.empty()) {
      const auto end = std::find_if_not(text.begin() + 1, text.end(), IsNamePart);
      const std::string_view name(text.begin() + 1, end);
      text.remove_prefix(1 + name.size());
      const auto at = std::ranges::find(kNames, name);
      if (at == kNames.end()) {
        std::string hint = DidYouMean(name, kNames);
        if (hint.empty()) hint = fmt::format("known variables: {}", fmt::join(kNames, ", "));
        return Fail(ErrorCode::kInvalid, fmt::format("there is no variable \"${}\"", name),
                    std::move(hint));
      }
      piece.variable = static_cast<Variable>(at - kNames.begin() + 1);
    }
    label.pieces.push_back(std::move(piece));
  }
  return label;
}

}  // namespace firstword::dialect
