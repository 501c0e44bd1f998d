#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "net/event_loop.h"
#include "simulate/fleet/fleet.h"
#include "simulate/live/lag_meter.h"

namespace firstword::simulate {

struct LiveOptions {
  std::string address = "127.0.0.1";
  std::uint16_t first_port = 0;  // of the first listener, the others follow; 0: any free ones
  double speed = 1;              // simulated seconds a second
  // Each replica on a loopback address of its own, 127.0.0.1, 127.0.0.2 and so on, with a GPU
  // exporter beside it, as on hosts of their own; `address` does not count then.
  bool own_hosts = false;
  SimTime warm_up{};  // lived through at once, before the first request
};

// One listening socket of a fleet.
struct Endpoint {
  std::string name;         // "chat-0", "gpus"
  std::string url;          // "http://127.0.0.1:34567"
  std::string metrics_url;  // with the path of its page
  std::string engine;       // "vllm"; the exporter's for GPUs
  std::string version;
  std::string model;  // empty for GPUs
};

// A fleet in real time: its clock follows the machine's, its replicas answer the OpenAI API
// and serve their pages on loopback ports. Loop thread only.
class LiveFleet {
 public:
  [[nodiscard]] static Result<std::unique_ptr<LiveFleet>> Start(net::EventLoop& loop,
                                                                std::unique_ptr<Fleet> fleet,
                                                                LiveOptions options);
  ~LiveFleet();  // closes everything

  [[nodiscard]] const std::vector<Endpoint>& endpoints() const;
  // Brought up to the present.
  [[nodiscard]] Fleet& fleet();
  // Of the clock: each wake-up against the first event that was due.
  [[nodiscard]] const LagMeter& lag() const;
  // Of the tokens that clients got: each one's bytes handed to its socket, against the time
  // the model gave it out.
  [[nodiscard]] const LagMeter& token_lag() const;
  // From here on every token's lag in microseconds is appended, for benchmarks; null: no more.
  void SetTokenLagLog(std::vector<double>* log);

 private:
  class Impl;
  explicit LiveFleet(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace firstword::simulate
