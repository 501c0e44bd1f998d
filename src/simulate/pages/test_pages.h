#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "dialect/exports/export_catalog.h"
#include "simulate/pages/page_writer.h"

// A short life of a replica and two GPUs, from which the tests here print pages.

namespace firstword::simulate {

inline constexpr double kTestStart = 1'700'000'000.25;
inline constexpr double kTestNow = kTestStart + 60.5;
inline constexpr std::uint32_t kTestModelLen = 16384;

inline const dialect::ExportCatalog& BuiltinExports() {
  static const dialect::ExportCatalog catalog = dialect::ExportCatalog::LoadBuiltin().value();
  return catalog;
}

inline dialect::PageSpec TestPage(const dialect::Export& page, const dialect::Version& version) {
  return Resolve(
      page, version,
      {.max_model_len = kTestModelLen, .max_num_seqs = 256, .max_num_batched_tokens = 8192});
}

inline ReplicaFacts TestFacts(const dialect::PageSpec& page, std::uint32_t ranks = 1) {
  return {.model = "acme/writer-8b",
          .version = page.version,
          .instance = "replica-0",
          .worker = "127.0.0.1:8000",
          .host = "node-a",
          .start_unix_s = kTestStart,
          .ranks = ranks,
          .block_tokens = 16,
          .kv_blocks = 4000,
          .max_model_len = kTestModelLen,
          .max_num_seqs = 256,
          .max_num_batched_tokens = 8192,
          .gpu_memory_utilization = 0.9,
          .prefix_caching = true};
}

// A request that waited 20 ms, took 180 ms to its first token and then 10 ms for each.
inline RequestRecord TestRequest(Outcome outcome, std::uint32_t prompt, std::uint32_t output,
                                 bool streaming) {
  using std::chrono::milliseconds;
  RequestRecord record{.outcome = outcome,
                       .streaming = streaming,
                       .arrived = milliseconds(1000),
                       .queued = milliseconds(1005),
                       .scheduled = milliseconds(1025),
                       .prompt_tokens = prompt,
                       .cached_tokens = prompt / 32 * 16,
                       .output_tokens = output,
                       .max_tokens = 512};
  record.first_token = record.scheduled + milliseconds(180);
  record.first_seen = record.first_token + milliseconds(1);
  record.last_token = record.first_token + milliseconds(10) * (output - 1);
  record.last_seen = record.last_token + milliseconds(1);
  return record;
}

inline void LiveThrough(Recorder& recorder, RequestRecord record) {
  recorder.OnArrived(record.id, {}, record.arrived);
  recorder.OnScheduled(record);
  recorder.OnFirstToken(record);
  const std::uint32_t gaps = record.output_tokens - 1;
  for (std::uint32_t i = 0; i < gaps; ++i) {
    recorder.OnGap(record.rank, std::chrono::milliseconds(10), 1, 1);
  }
  recorder.OnFinished(record);
}

inline void TellHistory(Recorder& recorder, bool speculation = false) {
  LiveThrough(recorder, TestRequest(Outcome::kStop, 700, 120, true));
  LiveThrough(recorder, TestRequest(Outcome::kLength, 64, 512, true));
  LiveThrough(recorder, TestRequest(Outcome::kStop, 9000, 8, false));
  LiveThrough(recorder, TestRequest(Outcome::kAbort, 300, 40, true));
  RequestRecord preempted = TestRequest(Outcome::kStop, 1200, 200, true);
  preempted.preemptions = 2;
  recorder.OnPreempted(preempted, preempted.first_token);
  recorder.OnPreempted(preempted, preempted.first_token);
  LiveThrough(recorder, preempted);
  recorder.CountHttp(404, 100, 22);
  const std::uint32_t accepted[] = {4, 3, 1};
  if (speculation) recorder.OnSpeculation(0, 5, 15, accepted);
  StepReport step{.begin = std::chrono::milliseconds(1030),
                  .end = std::chrono::milliseconds(1060),
                  .prefill_tokens = 512,
                  .decode_tokens = 3,
                  .prefill_sequences = 1,
                  .decode_sequences = 3};
  const SchedulerState state{.running = 4,
                             .waiting = 2,
                             .prefilling = 1,
                             .paused = 1,
                             .blocks = 4000,
                             .free_blocks = 3000,
                             .cached_blocks = 500,
                             .held_tokens = 15900};
  recorder.OnStep(step, state);
}

inline std::vector<GpuReading> TestGpus() {
  GpuReading gpu{.index = 0,
                 .uuid = "GPU-00000000-0000-0000-0000-000000000001",
                 .model_name = "NVIDIA H100 80GB HBM3",
                 .host = "node-a",
                 .pci_bus_id = "00000000:1B:00.0",
                 .driver_version = "570.86.15",
                 .util = 0.97,
                 .gr_active = 0.93,
                 .sm_active = 0.71,
                 .sm_occupancy = 0.24,
                 .tensor_active = 0.18,
                 .dram_active = 0.62,
                 .copy_util = 0.55,
                 .fb_used_bytes = 72.0 * (1 << 30),
                 .fb_free_bytes = 7.0 * (1 << 30),
                 .fb_reserved_bytes = 600.0 * (1 << 20),
                 .fb_total_bytes = 80.0 * (1 << 30),
                 .power_watts = 612.345,
                 .power_limit_watts = 700,
                 .energy_joules = 1.25e9,
                 .temperature_celsius = 64,
                 .memory_temperature_celsius = 71,
                 .sm_clock_hz = 1.98e9,
                 .mem_clock_hz = 2.619e9,
                 .xid = 0,
                 .throttle_mask = kThrottlePowerCap,
                 .ecc_sbe = 0,
                 .ecc_dbe = 0,
                 .remapped_correctable = 0,
                 .remapped_uncorrectable = 0,
                 .row_remap_failure = 0,
                 .pcie_tx_bytes_per_s = 1.5e6,
                 .pcie_rx_bytes_per_s = 2.5e6,
                 .pcie_replay = 0,
                 .nvlink_tx_bytes_per_s = 2e10,
                 .nvlink_rx_bytes_per_s = 2.1e10,
                 .nvlink_bytes = 4e14};
  std::vector<GpuReading> gpus = {gpu, gpu};
  gpus[1].index = 1;
  gpus[1].uuid.back() = '2';
  gpus[1].pci_bus_id = "00000000:43:00.0";
  return gpus;
}

// The page of one version after the history above.
inline std::string PrintTestPage(const dialect::Export& exported, const dialect::Version& version,
                                 std::uint32_t ranks = 1) {
  const dialect::PageSpec page = TestPage(exported, version);
  Recorder recorder(page, TestFacts(page, ranks));
  TellHistory(recorder);
  const std::vector<GpuReading> gpus = TestGpus();
  return WriteMetricsPage(page, {.recorder = &recorder, .gpus = gpus, .now_unix_s = kTestNow});
}

}  // namespace firstword::simulate
