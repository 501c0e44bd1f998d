#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dialect/exports/export_catalog.h"
#include "simulate/engine/replica.h"
#include "simulate/engine/token_listener.h"
#include "simulate/gpu/gpu_reading.h"
#include "simulate/pages/recorder.h"
#include "simulate/scenario/scenario.h"
#include "simulate/traffic/traffic.h"

namespace firstword::simulate {

struct FleetOptions {
  double start_unix_s = 0;  // what the pages say of time 0
  bool traffic = true;      // false: waits for requests from outside
  // What pages say of replica i's address; may be called again after a listener got a port.
  std::string host = "sim";
};

// What is seen of one replica.
struct ReplicaStatus {
  std::string name;    // "chat-0"
  std::string engine;  // "vllm"
  std::string version;
  std::string model;
  bool up = true;
  std::uint32_t max_model_len = 0;
  std::size_t open_requests = 0;
  std::uint32_t gpus = 0;
};

// A scenario alive on a virtual clock: replicas, their GPUs and pages, users, events. Pure:
// the same scenario and the same calls give the same life. Not thread-safe.
class Fleet {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Fleet>> Create(Scenario scenario,
                                                             const dialect::ExportCatalog& catalog,
                                                             FleetOptions options);
  virtual ~Fleet() = default;

  [[nodiscard]] virtual SimTime now() const = 0;
  [[nodiscard]] virtual SimTime NextEvent() const = 0;
  virtual void AdvanceTo(SimTime now) = 0;

  [[nodiscard]] virtual const Scenario& scenario() const = 0;
  [[nodiscard]] virtual std::size_t replicas() const = 0;
  [[nodiscard]] virtual ReplicaStatus status(std::size_t replica) const = 0;
  // What has been counted, for tests and reports; of the process that lives now.
  [[nodiscard]] virtual const Recorder& recorder(std::size_t replica) const = 0;
  [[nodiscard]] virtual SchedulerState state(std::size_t replica, std::uint32_t rank) const = 0;
  // "host:port" under which its page is served, for pages that say it.
  virtual void SetAddress(std::size_t replica, const std::string& host_and_port) = 0;

  // Replaces the users of traffic `index` of the scenario.
  virtual void ReplaceTraffic(std::size_t index, std::unique_ptr<Traffic> traffic) = 0;

  // A request from outside, at now(). `listener` may be null.
  virtual RequestId Submit(std::size_t replica, Request request, TokenListener* listener) = 0;
  virtual void Abort(std::size_t replica, RequestId id) = 0;
  virtual void CountHttp(std::size_t replica, int status, std::size_t request_bytes,
                         std::size_t response_bytes) = 0;

  // The replica's page at now(); path and content type as its engine serves it.
  [[nodiscard]] virtual std::string MetricsPage(std::size_t replica) = 0;
  [[nodiscard]] virtual std::string metrics_path(std::size_t replica) const = 0;
  [[nodiscard]] virtual std::string metrics_content_type(std::size_t replica) const = 0;
  // The GPU exporter's page over all GPUs of the fleet, or those of one replica.
  [[nodiscard]] virtual bool has_gpu_page() const = 0;
  [[nodiscard]] virtual std::string GpuPage(std::optional<std::size_t> replica = {}) = 0;
  // The page of the gateway in front; empty when there is none.
  [[nodiscard]] virtual bool has_gateway_page() const = 0;
  [[nodiscard]] virtual std::string GatewayPage() = 0;
  [[nodiscard]] virtual std::vector<GpuReading> ReadGpus(std::size_t replica) = 0;

  // Tokens given out and requests ended so far, over all replicas, traffic's and outside's.
  [[nodiscard]] virtual std::uint64_t tokens_given() const = 0;
  [[nodiscard]] virtual std::uint64_t requests_ended() const = 0;
};

}  // namespace firstword::simulate
