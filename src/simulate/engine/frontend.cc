#include "simulate/engine/frontend.h"

#include <algorithm>

namespace firstword::simulate {

Frontend::Frontend(const HostCost& cost) : cost_(cost) {
  for (std::uint32_t i = 0; i < std::max(1u, cost.frontend_workers); ++i) free_at_.push(SimTime{});
}

void Frontend::Take(RequestId id, std::uint32_t prompt_tokens, double host_factor, SimTime now) {
  const SimTime begin = std::max(now, free_at_.top());
  free_at_.pop();
  const double work = cost_.tokenize_s + cost_.tokenize_per_token_s * prompt_tokens;
  const SimTime end = begin + FromSeconds(work * host_factor);
  free_at_.push(end);
  done_.push({end, id});
}

RequestId Frontend::Pop() {
  const RequestId id = done_.top().id;
  done_.pop();
  return id;
}

}  // namespace firstword::simulate
