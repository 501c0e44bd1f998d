#pragma once

#include <cstdint>
#include <string>

#include "simulate/engine/hardware.h"
#include "simulate/engine/observer.h"
#include "simulate/gpu/gpu_reading.h"

namespace firstword::simulate {

// Which GPU it is.
struct GpuIdentity {
  std::uint32_t index = 0;   // on its host
  std::uint32_t number = 0;  // in the fleet: uuid and bus id follow from it
  std::string host;
  double used_bytes = 0;  // engines take it all when they start
};

// What is wrong with a GPU. Neutral values are nothing.
struct GpuFault {
  double clock_share = 1;       // of the boost clock that is left
  bool hw_thermal = false;      // because it is too hot
  bool sw_power_cap = false;    // because of its power limit
  bool lost = false;            // fallen off the bus: no reading at all
  bool telemetry_zero = false;  // profiling fields read 0 (dcgm-exporter#635)
  bool row_remap_failure = false;
  std::uint32_t xid = 0;  // the last one's code
  std::uint32_t ecc_sbe = 0;
  std::uint32_t ecc_dbe = 0;
};

// The telemetry of one GPU, made from the steps that run on it. As an exporter does, it
// collects at fixed times and answers with the last collection: a value is the mean of the
// last whole interval, and older than the moment of reading.
class GpuMeter {
 public:
  // `interval` between collections; DCGM exporter's default is 30 s.
  GpuMeter(GpuSpec spec, GpuIdentity identity, SimTime interval, SimTime start);

  // A step of the rank that runs on this GPU begins; in order of time. Its work counts as
  // time passes, so a collection in the middle of a long step has its part of it.
  void Begin(const StepReport& step);
  // A process took or gave back the memory.
  void SetUsedBytes(double bytes) { identity_.used_bytes = bytes; }
  void SetFault(const GpuFault& fault) { fault_ = fault; }
  [[nodiscard]] const GpuFault& fault() const { return fault_; }

  // The last collection at or before `now`. Without profiling values in the first interval.
  [[nodiscard]] GpuReading Read(SimTime now);

 private:
  // What was done, summed over an interval.
  struct Work {
    double busy_s = 0;
    double flops = 0;
    double bytes = 0;
    double link_bytes = 0;
  };

  void CollectUntil(SimTime now);
  void AccountUntil(SimTime now);
  void Collect();

  const GpuSpec spec_;
  GpuIdentity identity_;
  const SimTime interval_;
  GpuFault fault_;
  SimTime collected_;    // when it was done last
  bool whole_ = false;   // one interval has passed
  Work work_;            // since then
  StepReport step_;      // begun last
  SimTime accounted_{};  // up to when its work is in `work_`

  // Of the last whole interval.
  double busy_ = 0;
  double tensor_ = 0;
  double dram_ = 0;
  double link_per_s_ = 0;
  double power_watts_;
  // Integrals and states.
  double temperature_ = 34;
  double energy_joules_ = 0;
  double link_bytes_ = 0;
};

}  // namespace firstword::simulate
