#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "simulate/engine/request.h"
#include "simulate/traffic/trace_file.h"
#include "simulate/traffic/workload.h"

namespace firstword::simulate {

// One request that is due.
struct Arrival {
  SimTime at = kNever;
  Request request;
  std::uint64_t session = 0;  // the same for all turns of a conversation
  SimTime patience = kNever;  // after which its user leaves
};

// Users, open loop: new conversations come when they come, however slow the answers are;
// only a next turn waits for the answer before it. Pure and seeded.
class Traffic {
 public:
  virtual ~Traffic() = default;

  [[nodiscard]] virtual SimTime NextArrival() const = 0;
  // The arrival at NextArrival().
  [[nodiscard]] virtual Arrival Pop() = 0;
  // The answer to the last request of `session` ended.
  virtual void OnAnswered(std::uint64_t /*session*/, const RequestRecord&, SimTime /*now*/) {}

  // Requests a second from now on; 0: none.
  virtual void SetRate(double /*per_second*/, SimTime /*now*/) {}
  // Multiplies lengths from now on.
  virtual void SetPromptFactor(double /*factor*/) {}
  virtual void SetOutputFactor(double /*factor*/) {}
  // Shared beginnings are no longer alike: each request gets one of its own.
  virtual void SetPrefixesShared(bool /*shared*/) {}
};

// `burstiness` as in vLLM's bench: the shape of gamma gaps; 1 is Poisson, infinite is even.
struct ArrivalSpec {
  double per_second = 1;  // requests, all turns counted
  double burstiness = 1;
};

[[nodiscard]] std::unique_ptr<Traffic> MakeTraffic(WorkloadSpec workload, ArrivalSpec arrivals,
                                                   std::uint64_t seed);
// Replays the rows with their times divided by `compression`.
[[nodiscard]] std::unique_ptr<Traffic> MakeReplay(std::vector<TraceRow> rows, double compression);

}  // namespace firstword::simulate
