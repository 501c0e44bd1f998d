#include "signals/decomposition.h"

#include <gtest/gtest.h>

namespace firstword::signals {
namespace {

struct Part {
  double sum = 0;
  double count = 0;
  bool lifetime = false;
  bool invalid_sum = false;
};

ReplicaSignals SignalsWith(std::optional<Part> ttft, std::optional<Part> queue,
                           std::optional<Part> prefill) {
  ReplicaSignals signals;
  const auto add = [&](const char* name, const std::optional<Part>& part) {
    if (!part) return;
    SignalValue value;
    value.histogram = Histogram({}, part->sum, part->count);
    value.lifetime = part->lifetime;
    value.invalid_sum = part->invalid_sum;
    signals.values.emplace(name, std::move(value));
  };
  add("llm:ttft_seconds", ttft);
  add("llm:queue_seconds", queue);
  add("llm:prefill_seconds", prefill);
  return signals;
}

TEST(DecompositionTest, NamesTheLargestPart) {
  struct Row {
    const char* name;
    std::optional<Part> ttft;
    std::optional<Part> queue;
    std::optional<Part> prefill;
    std::optional<double> gap;
    const char* largest;
    double share;
    bool mixed;
  };
  const Row rows[] = {
      {"queue", Part{70, 10}, Part{60, 10}, Part{5, 10}, 0.5, "queue", 6.0 / 7, false},
      {"prefill", Part{40, 10}, Part{5, 10}, Part{30, 10}, 0.5, "prefill", 0.75, false},
      {"frontend", Part{40, 10}, Part{5, 10}, Part{5, 10}, 3.0, "frontend", 0.75, false},
      {"other requests", Part{40, 10}, Part{18, 6}, Part{3, 6}, 0.5, "queue", 0.75, true},
      {"gap below zero", Part{40, 10}, Part{42, 9}, Part{9, 9}, 4 - 42.0 / 9 - 1, "queue", 1, true},
      {"prefill unknown, queue decides", Part{40, 10}, Part{30, 10}, {}, {}, "queue", 0.75, false},
      {"prefill unknown, undecided", Part{40, 10}, Part{10, 10}, {}, {}, "", 0, false},
      {"only TTFT", Part{40, 10}, {}, {}, {}, "", 0, false},
      {"no TTFT", {}, Part{40, 10}, Part{40, 10}, {}, "", 0, false},
      {"nothing observed", Part{0, 0}, Part{0, 0}, Part{0, 0}, {}, "", 0, false},
      {"parts of another window", Part{40, 10}, Part{39, 10, true}, {}, {}, "", 0, false},
      {"worthless sum", Part{40, 10}, Part{-3, 10, false, true}, {}, {}, "", 0, false},
  };
  for (const Row& row : rows) {
    const TtftDecomposition split = DecomposeTtft(SignalsWith(row.ttft, row.queue, row.prefill));
    ASSERT_EQ(split.gap.has_value(), row.gap.has_value()) << row.name;
    if (row.gap) {
      EXPECT_NEAR(*split.gap, *row.gap, 1e-12) << row.name;
    }
    EXPECT_EQ(split.largest, row.largest) << row.name;
    EXPECT_NEAR(split.largest_share, row.share, 1e-12) << row.name;
    EXPECT_EQ(split.mixed_populations, row.mixed) << row.name;
  }
}

TEST(DecompositionTest, SaysWhatItCovers) {
  const TtftDecomposition split =
      DecomposeTtft(SignalsWith(Part{40, 10, true}, Part{30, 9, true}, Part{1, 9, true}));
  EXPECT_TRUE(split.lifetime);
  EXPECT_EQ(split.ttft_count, 10);
  EXPECT_EQ(split.parts_count, 9);
}

}  // namespace
}  // namespace firstword::signals
