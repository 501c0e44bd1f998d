// What must hold whatever the seed: nothing is lost, and queues obey queueing theory.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "simulate/engine/test_engine.h"

namespace firstword::simulate {
namespace {

struct Arrival {
  SimTime at{};
  Request request;
};

// Arrivals that overload a small cache now and then: shared prefixes, aborts are up to the test.
std::vector<Arrival> Traffic(std::uint64_t seed, int count, double per_second) {
  std::mt19937_64 random(seed);
  std::exponential_distribution<double> gap(per_second);
  std::lognormal_distribution<double> prompt(5.5, 1);
  std::lognormal_distribution<double> output(4.5, 0.8);
  std::uniform_int_distribution<std::uint64_t> group(1, 8);
  std::vector<Arrival> arrivals;
  double now = 0;
  for (int i = 0; i < count; ++i) {
    now += gap(random);
    Request request;
    request.prompt = {{.text = group(random), .offset = 0, .tokens = 100},
                      {.text = 1000 + static_cast<std::uint64_t>(i),
                       .offset = 0,
                       .tokens = 1 + static_cast<std::uint32_t>(std::min(3000.0, prompt(random)))}};
    request.output_tokens = 1 + static_cast<std::uint32_t>(std::min(2000.0, output(random)));
    request.max_tokens = 800;
    request.priority = static_cast<int>(group(random) % 3);
    request.watched = true;
    arrivals.push_back({FromSeconds(now), std::move(request)});
  }
  return arrivals;
}

// The configurations that every law is held against.
std::vector<EngineConfig> Configurations() {
  std::vector<EngineConfig> configs;
  for (const MemoryPolicy memory : {MemoryPolicy::kRecompute, MemoryPolicy::kRetract,
                                    MemoryPolicy::kReserve, MemoryPolicy::kMaxUtilization}) {
    for (const Mixing mixing : {Mixing::kMixed, Mixing::kPrefillFirst}) {
      EngineConfig config = PlainConfig();
      config.memory = memory;
      config.mixing = mixing;
      config.kv_blocks = 600;
      config.max_num_seqs = 64;
      config.max_num_batched_tokens = 2048;
      configs.push_back(config);
    }
  }
  EngineConfig ranks = configs[0];
  ranks.data_parallel = 3;
  ranks.priority_scheduling = true;
  configs.push_back(ranks);
  EngineConfig speculating = configs[0];
  speculating.speculation = {.draft_tokens = 4, .acceptance = 0.6};
  speculating.long_prefill_threshold = 512;
  configs.push_back(speculating);
  EngineConfig whole = configs[1];
  whole.chunked_prefill = false;
  whole.prefix_caching = false;
  configs.push_back(whole);
  EngineConfig busy_host = configs[0];
  busy_host.host.overlapped = false;
  busy_host.host.tokenize_s = 0.02;
  configs.push_back(busy_host);
  return configs;
}

TEST(LawsTest, NothingIsLostAndEveryTimeAddsUp) {
  for (std::size_t c = 0; c < Configurations().size(); ++c) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      SCOPED_TRACE(testing::Message() << "configuration " << c << ", seed " << seed);
      Recorded recorded;
      Replica replica(Configurations()[c], seed, recorded);
      std::mt19937_64 random(seed);
      std::uint64_t expected_output = 0;
      for (const Arrival& arrival : Traffic(seed, 400, 12)) {
        const RequestId id = replica.Submit(arrival.request, arrival.at);
        expected_output += std::min(arrival.request.output_tokens, arrival.request.max_tokens);
        if (random() % 10 == 0) {
          replica.Abort(id, arrival.at);
          expected_output -= std::min(arrival.request.output_tokens, arrival.request.max_tokens);
        }
      }
      Drain(replica);

      // Every request ends once, with as many tokens as it was to say.
      ASSERT_EQ(recorded.finished.size(), 400u);
      ASSERT_EQ(replica.open_requests(), 0u);
      std::uint64_t output = 0;
      std::uint64_t aborted_output = 0;
      std::uint64_t watched = 0;
      for (const auto& [id, count] : recorded.tokens) watched += count;
      for (const RequestRecord& record : recorded.finished) {
        (record.outcome == Outcome::kAbort ? aborted_output : output) += record.output_tokens;
        if (record.first_token == kNever) {
          EXPECT_EQ(record.outcome, Outcome::kAbort);
          continue;
        }
        EXPECT_EQ(recorded.tokens[record.id], record.output_tokens);
        // TTFT = frontend + queue + prefill, not merely to the microsecond.
        EXPECT_EQ(record.ttft(), record.frontend() + record.queue() + record.prefill());
        EXPECT_LE(record.arrived, record.queued);
        EXPECT_LE(record.queued, record.scheduled);
        EXPECT_LT(record.scheduled, record.first_token);
        EXPECT_LE(record.first_seen, record.last_seen);
        EXPECT_LT(record.cached_tokens, record.prompt_tokens);
        EXPECT_TRUE(std::ranges::is_sorted(recorded.seen_at[record.id]));
        EXPECT_EQ(recorded.seen_at[record.id].front(), record.first_seen);
        EXPECT_EQ(recorded.seen_at[record.id].back(), record.last_seen);
      }
      EXPECT_EQ(output, expected_output);
      EXPECT_EQ(watched, output + aborted_output);
      EXPECT_EQ(recorded.gap_tokens + recorded.first_tokens, watched);

      // Blocks stay within the cache and all come back.
      EXPECT_EQ(recorded.impossible, 0u);
      for (std::uint32_t rank = 0; rank < replica.ranks(); ++rank) {
        const SchedulerState state = replica.state(rank);
        EXPECT_EQ(state.free_blocks, state.blocks);
        EXPECT_EQ(state.running + state.waiting + state.paused, 0u);
      }
      EXPECT_LE(recorded.most_running, replica.config().max_num_seqs);
    }
  }
}

TEST(LawsTest, TheSameSeedLivesTheSameLife) {
  const auto live = [] {
    Recorded recorded;
    EngineConfig config = Configurations()[9];
    Replica replica(config, 7, recorded);
    for (const Arrival& arrival : Traffic(7, 300, 12)) replica.Submit(arrival.request, arrival.at);
    const SimTime end = Drain(replica);
    return std::pair(end, recorded.steps);
  };
  EXPECT_EQ(live(), live());
}

TEST(LawsTest, PressureOnTheCacheIsFeltAsEachPolicyMeansIt) {
  const std::vector<EngineConfig> configs = Configurations();
  const auto preemptions = [&](std::size_t index) {
    Recorded recorded;
    Replica replica(configs[index], 1, recorded);
    for (const Arrival& arrival : Traffic(1, 400, 40)) replica.Submit(arrival.request, arrival.at);
    Drain(replica);
    return recorded.preemptions;
  };
  EXPECT_GT(preemptions(0), 0u) << "recompute";
  EXPECT_GT(preemptions(3), 0u) << "retract";
  EXPECT_EQ(preemptions(4), 0u) << "reserve never evicts";
  EXPECT_EQ(preemptions(5), 0u) << "reserve never evicts";
  EXPECT_GT(preemptions(6), 0u) << "max utilisation";
}

// As an operator checks it: the gauges after each step, averaged over time, against what the
// requests that ended say of their own time in the engine.
class GaugeArea final : public Observer {
 public:
  void OnFinished(const RequestRecord& record) override {
    in_engine += Seconds(record.last_token - record.queued);
  }
  void OnStep(const StepReport& step, const SchedulerState& state) override {
    area += present * Seconds(step.end - before);
    before = step.end;
    present = state.running + state.waiting;
  }

  double area = 0, in_engine = 0, present = 0;
  SimTime before{};
};

TEST(LawsTest, LittlesLawHoldsWithinTwoPercent) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    GaugeArea gauges;
    EngineConfig config = PlainConfig();
    config.max_num_seqs = 24;
    Replica replica(config, seed, gauges);
    for (const Arrival& arrival : Traffic(seed, 4000, 14)) {
      replica.Submit(arrival.request, arrival.at);
    }
    Drain(replica);
    EXPECT_NEAR(gauges.area / gauges.in_engine, 1, 0.02) << "seed " << seed;
  }
}

double Percentile99(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() * 99 / 100];
}

TEST(LawsTest, CompressedArrivalsNeverWaitLess) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    double before = 0;
    for (const double compression : {1.0, 1.3, 1.7, 2.2, 3.0}) {
      Recorded recorded;
      EngineConfig config = PlainConfig();
      config.max_num_seqs = 16;
      Replica replica(config, seed, recorded);
      for (const Arrival& arrival : Traffic(seed, 1500, 8)) {
        replica.Submit(arrival.request, FromSeconds(Seconds(arrival.at) / compression));
      }
      Drain(replica);
      std::vector<double> waits;
      for (const RequestRecord& record : recorded.finished)
        waits.push_back(Seconds(record.queue()));
      const double now = Percentile99(waits);
      EXPECT_GE(now, before) << "seed " << seed << ", compressed " << compression;
      before = now;
    }
  }
}

// One request at a time, nothing but decoding: a single server. The mean wait in the queue
// against Pollaczek and Khinchine's formula with the service times that were seen.
void ExpectQueueOfOneServer(bool exponential) {
  double wait = 0, service = 0, squares = 0, utilisation = 0;
  std::size_t requests = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Recorded recorded;
    EngineConfig config = PlainConfig();
    config.max_num_seqs = 1;
    config.prefix_caching = false;
    config.host.tokenize_s = config.host.tokenize_per_token_s = 0;
    config.host.overlapped = true;
    Replica replica(config, seed, recorded);
    std::mt19937_64 random(seed * 977);
    // About a quarter of a second of service and a load of 0.65.
    std::exponential_distribution<double> gap(2.6);
    std::exponential_distribution<double> length(1.0 / 40);
    double now = 0;
    for (int i = 0; i < 20'000; ++i) {
      now += gap(random);
      const auto output = exponential ? 1 + static_cast<std::uint32_t>(length(random)) : 40u;
      replica.Submit(PlainRequest(static_cast<std::uint64_t>(i), 1, output), FromSeconds(now));
    }
    Drain(replica);
    for (const RequestRecord& record : recorded.finished) {
      const double s = Seconds(record.last_token - record.scheduled);
      wait += Seconds(record.queue());
      service += s;
      squares += s * s;
    }
    utilisation += now;
    requests += recorded.finished.size();
  }
  const auto count = static_cast<double>(requests);
  const double rate = count / utilisation;
  const double rho = rate * service / count;
  const double theory = rate * (squares / count) / (2 * (1 - rho));
  EXPECT_GT(rho, 0.5);
  EXPECT_LT(rho, 0.85);
  EXPECT_NEAR(wait / count / theory, 1, 0.03) << "load " << rho;
  // And that the service times are what the letter in the name says.
  const double mean = service / count;
  const double variation = squares / count / (mean * mean) - 1;
  EXPECT_NEAR(variation, exponential ? 1 : 0, 0.03);
}

TEST(LawsTest, AQueueWithFixedLengthsIsMD1) { ExpectQueueOfOneServer(false); }
TEST(LawsTest, AQueueWithExponentialLengthsIsMM1) { ExpectQueueOfOneServer(true); }

}  // namespace
}  // namespace firstword::simulate
