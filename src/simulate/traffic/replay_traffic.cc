#include <algorithm>
#include <utility>

#include "simulate/traffic/traffic.h"

namespace firstword::simulate {
namespace {

// Texts of rows that share nothing with others.
constexpr std::uint64_t kOwnTexts = std::uint64_t{1} << 62;

class ReplayTraffic final : public Traffic {
 public:
  ReplayTraffic(std::vector<TraceRow> rows, double compression)
      : rows_(std::move(rows)), compression_(compression) {}

  [[nodiscard]] SimTime NextArrival() const override {
    return next_ < rows_.size() ? FromSeconds(rows_[next_].at_s / compression_) : kNever;
  }

  [[nodiscard]] Arrival Pop() override {
    Arrival arrival{.at = NextArrival(), .request = {}, .session = next_ + 1};
    const TraceRow& row = rows_[next_];
    // Each block is a text of its own, so equal ids behind unequal ones are no hit, as in
    // a real cache, whose hashes are chained.
    std::uint32_t left = std::max(1u, row.prompt_tokens);
    for (const std::uint64_t id : row.hash_ids) {
      if (left == 0) break;
      const std::uint32_t tokens = std::min(left, row.block_tokens);
      arrival.request.prompt.push_back({.text = id, .offset = 0, .tokens = tokens});
      left -= tokens;
    }
    if (left > 0) {
      arrival.request.prompt.push_back({.text = kOwnTexts + next_, .offset = 0, .tokens = left});
    }
    arrival.request.output_tokens = std::max(1u, row.output_tokens);
    arrival.request.max_tokens = std::max(1u, row.output_tokens);
    ++next_;
    return arrival;
  }

 private:
  const std::vector<TraceRow> rows_;
  const double compression_;
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<Traffic> MakeReplay(std::vector<TraceRow> rows, double compression) {
  return std::make_unique<ReplayTraffic>(std::move(rows), compression);
}

}  // namespace firstword::simulate
