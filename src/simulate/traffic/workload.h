#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace firstword::simulate {

// A length or a time that varies from request to request.
struct Spread {
  enum class Shape : std::uint8_t { kFixed, kUniform, kLognormal, kExponential };
  Shape shape = Shape::kFixed;
  double mean = 0;  // of a uniform one: the middle
  double cv = 0;    // standard deviation / mean, of a log-normal one
  double min = 0;
  double max = 0;  // 0: no limit

  [[nodiscard]] double Draw(std::mt19937_64& random) const;
  // At least 1.
  [[nodiscard]] std::uint32_t DrawCount(std::mt19937_64& random) const;
};

// What users ask for.
struct WorkloadSpec {
  std::string name;   // "chat"
  std::string title;  // a line for people
  // Shared beginnings (a system prompt, a document): `groups` texts, the popular ones more
  // often (Zipf exponent `group_skew`); 0: none.
  std::uint32_t groups = 0;
  Spread shared_tokens;
  double group_skew = 1;
  Spread prompt_tokens;  // of one's own, behind the shared beginning
  Spread output_tokens;
  std::uint32_t max_tokens = 2048;  // as clients set it
  // Turns of a conversation: each sends everything before it once more, then what is new.
  Spread turns{.mean = 1};
  Spread turn_tokens;    // new in a turn after the first
  Spread think_seconds;  // between an answer and the next turn
  double streaming_share = 1;
  double abort_share = 0;   // of requests whose user leaves
  Spread patience_seconds;  // after which they do
};

}  // namespace firstword::simulate
