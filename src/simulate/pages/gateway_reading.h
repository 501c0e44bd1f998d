#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace firstword::simulate {

// What a gateway knows of one server behind it. Its times begin when the client's request
// came to the gateway, so what the gateway itself takes is in them and in no engine's.
struct GatewayReading {
  std::string worker;  // "host:port"
  std::string model;
  bool healthy = true;
  std::uint64_t active = 0;
  std::uint64_t prefilling = 0;  // of them, those before the first token
  std::uint64_t requests = 0;
  std::uint64_t errors = 0;
  double requests_per_second = 0;  // in a window
  double recent_duration_s = -1;   // mean in a window; -1: none ended
  double duration_sum_s = 0;
  std::uint64_t duration_count = 0;
  // For each histogram of the page, as Recorder::buckets().
  std::vector<std::vector<std::uint64_t>> buckets;
};

}  // namespace firstword::simulate
