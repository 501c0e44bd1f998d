#include "simulate/gpu/gpu_meter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace firstword::simulate {
namespace {

// Shares of the span between idle and limit that a kernel running at all, tensor cores at
// their achievable rate, and memory at its achievable rate draw together. Chosen so that
// decoding takes a bit more than half of the limit and a matrix product nine tenths
// (627 of 700 W on an H200 under gpu_burn).
constexpr double kBusyPower = 0.12;
constexpr double kTensorPower = 0.72;
constexpr double kDramPower = 0.42;
// A GPU's heat: steady state at full power, and how fast it is approached.
constexpr double kInletCelsius = 30;
constexpr double kRiseCelsius = 42;
constexpr double kThermalSeconds = 25;
constexpr double kThermalFaultCelsius = 93;
constexpr double kThrottleCelsius = 87;

// As NVML and DCGM round what they say.
double RoundTo(double value, double step) { return std::round(value / step) * step; }
constexpr double kMiB = 1024 * 1024;

double Share(double part, double whole) { return whole > 0 ? std::min(1.0, part / whole) : 0; }

}  // namespace

GpuMeter::GpuMeter(GpuSpec spec, GpuIdentity identity, SimTime interval, SimTime start)
    : spec_(std::move(spec)),
      identity_(std::move(identity)),
      interval_(interval),
      collected_(start),
      power_watts_(spec_.idle_watts) {}

void GpuMeter::Begin(const StepReport& step) {
  CollectUntil(step.begin);
  AccountUntil(step.begin);
  step_ = step;
  accounted_ = step.begin;
}

// A step's work is spread evenly over its time.
void GpuMeter::AccountUntil(SimTime now) {
  const SimTime until = std::min(now, step_.end);
  if (until <= accounted_) return;
  const double part = Seconds(until - accounted_) / Seconds(step_.end - step_.begin);
  accounted_ = until;
  work_.busy_s += Seconds(step_.gpu) * part;
  work_.flops += step_.flops * part;
  work_.bytes += step_.bytes * part;
  work_.link_bytes += step_.link_bytes * part;
}

void GpuMeter::Collect() {
  const double seconds = Seconds(interval_);
  collected_ += interval_;
  whole_ = true;
  busy_ = Share(work_.busy_s, seconds);
  tensor_ = Share(work_.flops,
                  seconds * (spec_.fp8_flops > 0 && spec_.bf16_flops <= 0 ? spec_.fp8_flops
                                                                          : spec_.bf16_flops));
  dram_ = Share(work_.bytes, seconds * spec_.bandwidth_bytes_per_s);
  link_per_s_ = work_.link_bytes / seconds;
  link_bytes_ += 2 * work_.link_bytes;
  work_ = {};
  const double load = kBusyPower * busy_ + kTensorPower * Share(tensor_, spec_.compute_share) +
                      kDramPower * Share(dram_, spec_.memory_share);
  power_watts_ = spec_.idle_watts + (spec_.power_limit_watts - spec_.idle_watts) *
                                        std::min(1.0, load) * (0.4 + 0.6 * fault_.clock_share);
  energy_joules_ += power_watts_ * seconds;
  const double target =
      fault_.hw_thermal
          ? kThermalFaultCelsius
          : kInletCelsius + kRiseCelsius * Share(power_watts_, spec_.power_limit_watts);
  temperature_ += (target - temperature_) * (1 - std::exp(-seconds / kThermalSeconds));
}

void GpuMeter::CollectUntil(SimTime now) {
  while (now >= collected_ + interval_) {
    AccountUntil(collected_ + interval_);
    Collect();
  }
}

GpuReading GpuMeter::Read(SimTime now) {
  CollectUntil(now);
  GpuReading reading;
  reading.index = identity_.index;
  reading.uuid = fmt::format("GPU-{:08x}-51a7-4e0c-9d1b-{:012x}",
                             0x5f3759dfu + identity_.number * 0x9e3779b9u, identity_.number);
  reading.model_name = spec_.model_name;
  reading.host = identity_.host;
  reading.pci_bus_id = fmt::format("00000000:{:02X}:00.0", 0x18 + identity_.index * 9);
  reading.driver_version = "570.124.06";
  reading.util = RoundTo(busy_, 0.01);
  if (whole_) {
    const double live = fault_.telemetry_zero ? 0 : 1;
    const double tensor_share = Share(tensor_, spec_.compute_share);
    const double dram_share = Share(dram_, spec_.memory_share);
    reading.gr_active = live * RoundTo(busy_, 1e-6);
    // Kernels that wait for memory keep most multiprocessors resident.
    reading.sm_active =
        live * RoundTo(busy_ * (0.3 + 0.65 * std::max(tensor_share, dram_share)), 1e-6);
    reading.sm_occupancy = live * RoundTo(busy_ * (0.1 + 0.25 * dram_share), 1e-6);
    reading.tensor_active = live * RoundTo(tensor_, 1e-6);
    reading.dram_active = live * RoundTo(dram_, 1e-6);
    reading.pcie_tx_bytes_per_s = live * std::round(2e6 + 2e7 * busy_);
    reading.pcie_rx_bytes_per_s = live * std::round(3e6 + 3e7 * busy_);
    if (spec_.link_bytes_per_s > 0) {
      reading.nvlink_tx_bytes_per_s = live * std::round(link_per_s_);
      reading.nvlink_rx_bytes_per_s = live * std::round(link_per_s_);
    }
  }
  reading.copy_util = RoundTo(0.6 * dram_, 0.01);
  const double total = std::floor(spec_.memory_gib * 1024) * kMiB;
  const double reserved = std::floor(total * 0.008 / kMiB) * kMiB;
  const double used = std::min(std::floor(identity_.used_bytes / kMiB) * kMiB, total - reserved);
  reading.fb_total_bytes = total;
  reading.fb_reserved_bytes = reserved;
  reading.fb_used_bytes = used;
  reading.fb_free_bytes = total - reserved - used;
  reading.power_watts = RoundTo(power_watts_, 1e-3);
  reading.power_limit_watts = spec_.power_limit_watts;
  reading.energy_joules = RoundTo(energy_joules_, 1e-3);
  reading.temperature_celsius = std::round(temperature_);
  // Stacked memory has a sensor; GDDR parts read 0 (facts of dcgm-exporter).
  const bool stacked = spec_.bandwidth_bytes_per_s > 1.2e12;
  reading.memory_temperature_celsius = stacked ? std::round(temperature_ + 9) : 0;
  const double clock = busy_ > 0.01 ? spec_.sm_clock_mhz : spec_.sm_clock_mhz * 0.18;
  reading.sm_clock_hz = clock * 1e6 * fault_.clock_share;
  reading.mem_clock_hz = spec_.mem_clock_mhz * 1e6;
  reading.xid = fault_.xid;
  std::uint64_t mask = 0;
  if (busy_ < 0.01) mask |= kThrottleIdle;
  if (fault_.sw_power_cap) mask |= kThrottlePowerCap;
  if (fault_.hw_thermal && temperature_ > kThrottleCelsius) {
    mask |= kThrottleHwThermal | kThrottleHwSlowdown;
  }
  reading.throttle_mask = mask;
  reading.ecc_sbe = fault_.ecc_sbe;
  reading.ecc_dbe = fault_.ecc_dbe;
  reading.remapped_correctable = 0;
  reading.remapped_uncorrectable = fault_.ecc_dbe;
  reading.row_remap_failure = fault_.row_remap_failure ? 1 : 0;
  reading.pcie_replay = 0;
  if (spec_.link_bytes_per_s > 0) reading.nvlink_bytes = std::round(link_bytes_);
  return reading;
}

}  // namespace firstword::simulate
