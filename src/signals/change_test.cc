#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "promql/source.h"
#include "signals/value.h"

namespace firstword::signals {
namespace {

using promql::kNoSample;
using promql::kStale;

TEST(ChangeTest, AddsIncrements) {
  struct Row {
    const char* name;
    std::vector<double> values;  // every 10 s
    std::optional<double> increase;
    double seconds;
    bool reset;
  };
  const Row rows[] = {
      {"grows", {1, 4, 9}, 8, 20, false},
      {"stands still", {5, 5}, 0, 10, false},
      {"restarts", {100, 110, 3, 8}, 18, 30, true},
      {"restarts to nothing", {100, 0}, 0, 10, true},
      {"restarts twice", {10, 2, 5, 1}, 6, 30, true},
      {"skips gaps", {1, kStale, kNoSample, 5}, 4, 30, false},
      {"skips NaN", {1, std::nan(""), 5}, 4, 20, false},
      {"begins late", {kNoSample, kNoSample, 7, 9}, 2, 10, false},
      {"one sample", {kNoSample, 7}, {}, 0, false},
      {"none", {kNoSample, kStale}, {}, 0, false},
      {"empty", {}, {}, 0, false},
  };
  for (const Row& row : rows) {
    std::vector<TimestampMs> times;
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      times.push_back(static_cast<TimestampMs>(i) * 10000);
    }
    const auto change = ChangeOf(times, row.values);
    ASSERT_EQ(change.has_value(), row.increase.has_value()) << row.name;
    if (!change) continue;
    EXPECT_EQ(change->increase, *row.increase) << row.name;
    EXPECT_EQ(change->seconds, row.seconds) << row.name;
    EXPECT_EQ(change->reset, row.reset) << row.name;
    EXPECT_EQ(change->Rate(), *row.increase / row.seconds) << row.name;
  }
}

TEST(ChangeTest, SaysBetweenWhichRowsItRestarted) {
  const TimestampMs times[] = {0, 15000, 30000, 45000};
  const double values[] = {10, 20, 5, 6};
  const auto change = ChangeOf(times, values);
  ASSERT_TRUE(change);
  EXPECT_EQ(change->reset_after, 15000);
  EXPECT_EQ(change->reset_before, 30000);
  EXPECT_EQ(change->first, 10);
  EXPECT_EQ(change->last, 6);
}

// A window cut anywhere in two adds up to the whole.
TEST(ChangeTest, PartsOfAWindowAddUp) {
  std::mt19937 random(11);
  for (int round = 0; round < 200; ++round) {
    std::vector<TimestampMs> times;
    std::vector<double> values;
    double value = 0;
    for (int i = 0; i < 20; ++i) {
      const bool restart = std::bernoulli_distribution(0.1)(random);
      value = restart ? 0 : value + std::uniform_int_distribution<int>(0, 50)(random);
      times.push_back(i * 1000);
      values.push_back(value);
    }
    const double whole = ChangeOf(times, values)->increase;
    const auto cut = std::uniform_int_distribution<std::size_t>(1, values.size() - 2)(random);
    const auto left = ChangeOf(std::span(times).first(cut + 1), std::span(values).first(cut + 1));
    const auto right = ChangeOf(std::span(times).subspan(cut), std::span(values).subspan(cut));
    EXPECT_EQ(left->increase + right->increase, whole);
  }
}

}  // namespace
}  // namespace firstword::signals
