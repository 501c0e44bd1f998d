#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "dialect/exports/page_spec.h"
#include "simulate/engine/sim_time.h"
#include "simulate/pages/gateway_reading.h"

namespace firstword::simulate {

// The router in front of a fleet, as far as its page goes: what it sent to each server and
// how long that took, its own delay included.
class Gateway {
 public:
  Gateway(const dialect::PageSpec& page, std::size_t servers);

  void OnTaken(std::size_t server, SimTime now);
  // The answer to what was taken at `taken` ended.
  void OnEnded(std::size_t server, SimTime taken, SimTime now, bool good);
  // No server was there to take it.
  void OnRefused(std::size_t server) { ++servers_[server].reading.errors; }

  // Of server `i`; names, health and `prefilling` are left to the caller.
  [[nodiscard]] GatewayReading Read(std::size_t server, SimTime now);

 private:
  struct Ended {
    SimTime at{};
    double duration_s = 0;
  };
  struct Server {
    GatewayReading reading;
    std::deque<SimTime> taken;  // in the window
    std::deque<Ended> ended;
  };

  static void Forget(Server& server, SimTime now);

  std::vector<std::vector<double>> bounds_;  // of the page's histograms
  std::vector<Server> servers_;
};

}  // namespace firstword::simulate
