#pragma once

#include <cstdint>
#include <queue>
#include <vector>

#include "simulate/engine/config.h"
#include "simulate/engine/request.h"
#include "simulate/engine/sim_time.h"

namespace firstword::simulate {

// The API server's tokenisers: a few processes, first come first served.
class Frontend {
 public:
  explicit Frontend(const HostCost& cost);

  void Take(RequestId id, std::uint32_t prompt_tokens, double host_factor, SimTime now);
  // When the next prompt is ready; kNever: none is under way.
  [[nodiscard]] SimTime next_event() const { return done_.empty() ? kNever : done_.top().at; }
  // Gives up the one that is ready first.
  [[nodiscard]] RequestId Pop();

 private:
  struct Done {
    SimTime at{};
    RequestId id = 0;
    friend bool operator>(const Done& a, const Done& b) {
      return a.at != b.at ? a.at > b.at : a.id > b.id;
    }
  };

  const HostCost& cost_;
  std::priority_queue<Done, std::vector<Done>, std::greater<>> done_;
  std::priority_queue<SimTime, std::vector<SimTime>, std::greater<>> free_at_;  // a worker each
};

}  // namespace firstword::simulate
