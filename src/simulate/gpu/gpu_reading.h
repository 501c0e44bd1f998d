#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace firstword::simulate {

// NVML's bits of why a clock is held back.
enum ThrottleReason : std::uint64_t {
  kThrottleIdle = 0x1,
  kThrottlePowerCap = 0x4,
  kThrottleHwSlowdown = 0x8,
  kThrottleSwThermal = 0x20,
  kThrottleHwThermal = 0x40,
  kThrottlePowerBrake = 0x80,
};

// What an exporter reads of one GPU at one moment, in base units. A member without a value
// cannot be read there: its rows are left out.
struct GpuReading {
  std::uint32_t index = 0;
  std::string uuid;  // "GPU-..."
  std::string model_name;
  std::string host;
  std::string pci_bus_id;
  std::string driver_version;

  std::optional<double> util;  // share of time with a kernel running, 0..1
  std::optional<double> gr_active;
  std::optional<double> sm_active;
  std::optional<double> sm_occupancy;
  std::optional<double> tensor_active;
  std::optional<double> dram_active;
  std::optional<double> copy_util;
  std::optional<double> fb_used_bytes;
  std::optional<double> fb_free_bytes;
  std::optional<double> fb_reserved_bytes;
  std::optional<double> fb_total_bytes;
  std::optional<double> power_watts;
  std::optional<double> power_limit_watts;
  std::optional<double> energy_joules;  // since the driver was loaded
  std::optional<double> temperature_celsius;
  std::optional<double> memory_temperature_celsius;
  std::optional<double> sm_clock_hz;
  std::optional<double> mem_clock_hz;
  std::optional<double> xid;  // the last one's code; 0: none yet
  std::optional<std::uint64_t> throttle_mask;
  std::optional<double> ecc_sbe;
  std::optional<double> ecc_dbe;
  std::optional<double> remapped_correctable;
  std::optional<double> remapped_uncorrectable;
  std::optional<double> row_remap_failure;  // 0 or 1
  std::optional<double> pcie_tx_bytes_per_s;
  std::optional<double> pcie_rx_bytes_per_s;
  std::optional<double> pcie_replay;
  std::optional<double> nvlink_tx_bytes_per_s;
  std::optional<double> nvlink_rx_bytes_per_s;
  std::optional<double> nvlink_bytes;  // both ways, since the driver was loaded
};

}  // namespace firstword::simulate
