#include "signals/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace firstword::signals {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

Histogram Latencies() {
  return Histogram({{1, 50}, {2.5, 90}, {5, 98}, {kInf, 100}}, 150.0, 100.0);
}

TEST(HistogramTest, PutsBucketsInOrder) {
  struct Row {
    const char* name;
    std::vector<Bucket> in;
    std::optional<double> count;
    std::vector<Bucket> want;
  };
  const Row rows[] = {
      {"sorts", {{kInf, 3}, {1, 1}, {2, 2}}, {}, {{1, 1}, {2, 2}, {kInf, 3}}},
      {"adds equal bounds", {{1, 1}, {1, 2}, {kInf, 4}}, {}, {{1, 3}, {kInf, 4}}},
      {"raises dips", {{1, 5}, {2, 4}, {kInf, 6}}, {}, {{1, 5}, {2, 5}, {kInf, 6}}},
      {"raises what is negative", {{1, -2}, {kInf, 3}}, {}, {{1, 0}, {kInf, 3}}},
      {"drops NaN", {{kNan, 1}, {1, kNan}, {2, 2}, {kInf, 2}}, {}, {{2, 2}, {kInf, 2}}},
      {"completes +Inf from the count", {{1, 5}}, 7.0, {{1, 5}, {kInf, 7}}},
      {"a count below the buckets is torn", {{1, 5}}, 3.0, {{1, 5}, {kInf, 5}}},
      {"without a count +Inf stays unknown", {{1, 5}}, {}, {{1, 5}}},
      {"empty", {}, 3.0, {}},
  };
  for (const Row& row : rows) {
    const Histogram histogram(row.in, std::nullopt, row.count);
    const auto got = histogram.buckets();
    ASSERT_EQ(got.size(), row.want.size()) << row.name;
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_EQ(got[i].upper, row.want[i].upper) << row.name;
      EXPECT_EQ(got[i].count, row.want[i].count) << row.name;
    }
  }
}

TEST(HistogramTest, SaysWhereAQuantileLies) {
  struct Row {
    const char* name;
    Histogram histogram;
    double q;
    std::optional<Interval> want;
    std::optional<double> interpolated;
  };
  const Row rows[] = {
      {"inside a bucket", Latencies(), 0.7, Interval{1, 2.5}, 1.75},
      {"on the edge of a bucket", Latencies(), 0.5, Interval{0, 1}, 1.0},
      {"in the top bucket", Latencies(), 0.99, Interval{5, kInf}, 5.0},
      {"the slowest", Latencies(), 1, Interval{5, kInf}, 5.0},
      {"the fastest", Latencies(), 0, Interval{0, 1}, 0.0},
      {"beyond 1", Latencies(), 1.5, Interval{5, kInf}, 5.0},
      {"skips empty buckets", Histogram({{1, 0}, {2, 4}, {kInf, 4}}, {}, {}), 0, Interval{1, 2},
       1.0},
      {"negative bounds", Histogram({{-5, 1}, {0, 2}, {kInf, 2}}, {}, {}), 0.5, Interval{-kInf, -5},
       -5.0},
      {"one bucket", Histogram({{kInf, 4}}, {}, {}), 0.5, Interval{0, kInf}, {}},
      {"no observation", Histogram({{1, 0}, {kInf, 0}}, 0.0, 0.0), 0.5, {}, {}},
      {"no bucket", Histogram({}, 5.0, 2.0), 0.5, {}, {}},
      {"+Inf missing", Histogram({{1, 5}}, {}, {}), 0.5, {}, {}},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(row.histogram.Quantile(row.q), row.want) << row.name;
    EXPECT_EQ(row.histogram.Interpolated(row.q), row.interpolated) << row.name;
  }
}

TEST(HistogramTest, CountsWhatLiesAbove) {
  const Histogram h = Latencies();
  EXPECT_EQ(h.CountAbove(2.5), (Interval{10, 10}));
  EXPECT_EQ(h.CountAbove(3), (Interval{2, 10}));
  EXPECT_EQ(h.CountAbove(0.5), (Interval{50, 100}));
  EXPECT_EQ(h.CountAbove(60), (Interval{0, 2}));
  EXPECT_EQ(h.CountAbove(kNan), std::nullopt);
  EXPECT_EQ(Histogram({}, 1.0, 1.0).CountAbove(1), std::nullopt);
}

TEST(HistogramTest, KnowsMeanCountAndTop) {
  EXPECT_EQ(Latencies().Mean(), 1.5);
  EXPECT_EQ(Latencies().TopBound(), 5);
  EXPECT_EQ(Histogram({{kInf, 4}}, 8.0, {}).count(), 4);
  EXPECT_EQ(Histogram({{kInf, 4}}, 8.0, {}).Mean(), 2);
  EXPECT_EQ(Histogram({{kInf, 4}}, 8.0, {}).TopBound(), std::nullopt);
  EXPECT_EQ(Histogram({}, 0.0, 0.0).Mean(), std::nullopt);
  EXPECT_EQ(Histogram({}, kNan, 5.0).Mean(), std::nullopt);
  EXPECT_EQ(Histogram({}, 3.0, {}).Mean(), std::nullopt);
  EXPECT_EQ(Histogram().count(), std::nullopt);
}

TEST(HistogramTest, ResolvesAQuantileWithEnoughRequests) {
  const auto f = [](double count, double q) { return Histogram({}, {}, count).Resolves(q); };
  EXPECT_TRUE(f(100, 0.99));
  EXPECT_FALSE(f(99, 0.99));
  EXPECT_TRUE(f(2, 0.5));
  EXPECT_FALSE(f(0, 0.5));
  EXPECT_FALSE(Histogram().Resolves(0.5));
}

TEST(HistogramTest, AddsEqualBounds) {
  Histogram sum;
  sum.Add(Latencies());
  sum.Add(Latencies());
  EXPECT_EQ(sum.count(), 200);
  EXPECT_EQ(sum.Mean(), 1.5);
  EXPECT_EQ(sum.CountAbove(2.5), (Interval{20, 20}));
  EXPECT_FALSE(sum.mixed_bounds());
}

TEST(HistogramTest, KeepsOnlyCommonBounds) {
  Histogram sum({{1, 10}, {2, 20}, {kInf, 20}}, 20.0, 20.0);
  sum.Add(Histogram({{2, 5}, {4, 10}, {kInf, 10}}, 20.0, 10.0));
  EXPECT_TRUE(sum.mixed_bounds());
  ASSERT_EQ(sum.buckets().size(), 2u);
  EXPECT_EQ(sum.buckets()[0].upper, 2);
  EXPECT_EQ(sum.buckets()[0].count, 25);
  EXPECT_EQ(sum.count(), 30);
  sum.Add(Histogram({{2, 1}, {kInf, 1}}, 1.0, 1.0));
  EXPECT_TRUE(sum.mixed_bounds()) << "it stays so";
  EXPECT_EQ(sum.count(), 31);
}

TEST(HistogramTest, ASumOfBucketsAndNoneHasNone) {
  Histogram sum = Latencies();
  sum.Add(Histogram({}, 50.0, 10.0));
  EXPECT_TRUE(sum.buckets().empty()) << "quantiles of a part are not those of all";
  EXPECT_EQ(sum.count(), 110);
  sum.Add(Histogram({{1, 1}, {kInf, 1}}, std::nullopt, std::nullopt));
  EXPECT_EQ(sum.Mean(), std::nullopt) << "one of them has no sum";
  EXPECT_EQ(sum.count(), 111);
}

// Whatever the samples and the bounds are, the quantile lies where the interval says.
TEST(HistogramTest, IntervalContainsTheTrueQuantile) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::lognormal_distribution<double> latency(-1, 1.5);
    std::vector<double> samples(std::uniform_int_distribution<std::size_t>(1, 400)(random));
    for (double& sample : samples) sample = latency(random);
    std::sort(samples.begin(), samples.end());

    std::vector<double> bounds(std::uniform_int_distribution<std::size_t>(0, 12)(random));
    for (double& bound : bounds) bound = latency(random);
    bounds.push_back(kInf);
    std::vector<Bucket> buckets;
    for (const double bound : bounds) {
      const auto end = std::upper_bound(samples.begin(), samples.end(), bound);
      buckets.push_back({bound, static_cast<double>(end - samples.begin())});
    }
    const Histogram histogram(buckets, std::nullopt, std::nullopt);
    for (const double q : {0.0, 0.01, 0.5, 0.9, 0.95, 0.99, 1.0}) {
      const double rank = std::ceil(q * static_cast<double>(samples.size()));
      const double truth = samples[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
      const auto interval = histogram.Quantile(q);
      ASSERT_TRUE(interval);
      EXPECT_LE(interval->lower, truth);
      EXPECT_GE(interval->upper, truth);
      const auto above = histogram.CountAbove(1.0);
      const auto exact = static_cast<double>(samples.end() -
                                             std::upper_bound(samples.begin(), samples.end(), 1.0));
      EXPECT_LE(above->lower, exact);
      EXPECT_GE(above->upper, exact);
    }
  }
}

}  // namespace
}  // namespace firstword::signals
