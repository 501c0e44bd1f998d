#include "simulate/gpu/gpu_meter.h"

#include <gtest/gtest.h>

#include "simulate/engine/test_engine.h"

namespace firstword::simulate {
namespace {

GpuSpec Spec() {
  GpuSpec spec = PlainConfig().gpu;
  spec.sm_clock_mhz = 1980;
  spec.mem_clock_mhz = 2619;
  return spec;
}

// Feeds the steps of a replica into a meter.
class Metered final : public Observer {
 public:
  explicit Metered(double interval_s) : meter(Spec(), {}, FromSeconds(interval_s), SimTime{}) {}
  void OnStepBegun(const StepReport& step) override { meter.Begin(step); }
  GpuMeter meter;
};

TEST(GpuMeterTest, DecodingPinsMemoryAndNotTensorCores) {
  Metered metered(1);
  Replica replica(PlainConfig(), 1, metered);
  for (std::uint64_t i = 0; i < 32; ++i) replica.Submit(PlainRequest(i, 50, 3000), SimTime{});
  replica.AdvanceTo(FromSeconds(10));
  const GpuReading reading = metered.meter.Read(FromSeconds(10));
  EXPECT_GT(*reading.util, 0.98);
  EXPECT_NEAR(*reading.dram_active, 0.76, 0.05);
  EXPECT_LT(*reading.tensor_active, 0.12);
  EXPECT_NEAR(*reading.power_watts, 420, 60);
}

TEST(GpuMeterTest, LongPromptsPinTensorCoresAndNotMemory) {
  Metered metered(1);
  EngineConfig config = PlainConfig();
  config.prefix_caching = false;
  Replica replica(config, 1, metered);
  for (std::uint64_t i = 0; i < 60; ++i) replica.Submit(PlainRequest(i, 16'000, 1), SimTime{});
  replica.AdvanceTo(FromSeconds(10));
  const GpuReading reading = metered.meter.Read(FromSeconds(10));
  EXPECT_NEAR(*reading.tensor_active, 0.58, 0.08);
  EXPECT_LT(*reading.dram_active, 0.25);
  EXPECT_GT(*reading.power_watts, 450);
}

TEST(GpuMeterTest, ABurstDrownsInALongInterval) {
  Metered metered(30);
  EngineConfig config = PlainConfig();
  Replica replica(config, 1, metered);
  EXPECT_FALSE(metered.meter.Read(FromSeconds(29)).tensor_active.has_value())
      << "no profiling value before the first interval is over";
  // Four seconds of prompts at more than 0.5, then nothing.
  for (std::uint64_t i = 0; i < 5; ++i) replica.Submit(PlainRequest(i, 16'000, 1), FromSeconds(31));
  replica.AdvanceTo(FromSeconds(100));
  const double mean = *metered.meter.Read(FromSeconds(65)).tensor_active;
  EXPECT_GT(mean, 0.02);
  EXPECT_LT(mean, 0.1);
  EXPECT_EQ(*metered.meter.Read(FromSeconds(95)).tensor_active, 0);
}

TEST(GpuMeterTest, AStepAfterIdleIntervalsCountsWhereItIs) {
  GpuMeter meter(Spec(), {}, FromSeconds(1), SimTime{});
  meter.Begin({.begin = FromSeconds(5.5), .end = FromSeconds(6.5), .gpu = FromSeconds(1)});
  EXPECT_DOUBLE_EQ(*meter.Read(FromSeconds(6.1)).util, 0.5);
  EXPECT_DOUBLE_EQ(*meter.Read(FromSeconds(7)).util, 0.5);
  EXPECT_DOUBLE_EQ(*meter.Read(FromSeconds(8)).util, 0);
}

TEST(GpuMeterTest, AReadingAmidALongStepHasItsPart) {
  GpuMeter meter(Spec(), {}, FromSeconds(1), SimTime{});
  meter.Begin({.begin = SimTime{}, .end = FromSeconds(10), .gpu = FromSeconds(10)});
  EXPECT_DOUBLE_EQ(*meter.Read(FromSeconds(3.5)).util, 1);
  EXPECT_DOUBLE_EQ(*meter.Read(FromSeconds(9)).util, 1);
  EXPECT_DOUBLE_EQ(*meter.Read(FromSeconds(12)).util, 0);
}

TEST(GpuMeterTest, EnergyIsPowerTimesTime) {
  Metered metered(1);
  Replica replica(PlainConfig(), 1, metered);
  replica.Submit(PlainRequest(1, 50, 2000), SimTime{});
  Drain(replica);
  const double at10 = *metered.meter.Read(FromSeconds(20)).energy_joules;
  const double at60 = *metered.meter.Read(FromSeconds(120)).energy_joules;
  EXPECT_NEAR(at60 - at10, 100 * 70, 1) << "idle";
  EXPECT_EQ(*metered.meter.Read(FromSeconds(120)).throttle_mask, kThrottleIdle);
}

TEST(GpuMeterTest, FaultsShow) {
  Metered metered(1);
  metered.meter.SetFault({.clock_share = 0.4,
                          .hw_thermal = true,
                          .telemetry_zero = true,
                          .row_remap_failure = true,
                          .xid = 79,
                          .ecc_dbe = 2});
  Replica replica(PlainConfig(), 1, metered);
  replica.Submit(PlainRequest(1, 50, 20'000), SimTime{});
  replica.AdvanceTo(FromSeconds(100));
  const GpuReading reading = metered.meter.Read(FromSeconds(100));
  EXPECT_GT(*reading.util, 0.9);
  EXPECT_EQ(*reading.gr_active, 0);
  EXPECT_EQ(*reading.tensor_active, 0);
  EXPECT_GT(*reading.temperature_celsius, 88);
  EXPECT_EQ(*reading.throttle_mask, std::uint64_t{kThrottleHwThermal} | kThrottleHwSlowdown);
  EXPECT_NEAR(*reading.sm_clock_hz, 0.4 * 1980e6, 1);
  EXPECT_EQ(*reading.xid, 79);
  EXPECT_EQ(*reading.ecc_dbe, 2);
  EXPECT_EQ(*reading.row_remap_failure, 1);
}

TEST(GpuMeterTest, MemoryAddsUp) {
  GpuMeter meter(Spec(), {.used_bytes = 70e9}, FromSeconds(1), SimTime{});
  const GpuReading reading = meter.Read(SimTime{});
  EXPECT_NEAR(*reading.fb_used_bytes + *reading.fb_free_bytes + *reading.fb_reserved_bytes,
              *reading.fb_total_bytes, 1);
}

}  // namespace
}  // namespace firstword::simulate
