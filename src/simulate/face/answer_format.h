#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "simulate/engine/request.h"

namespace firstword::simulate {

struct Usage {
  std::uint64_t prompt_tokens = 0;
  std::uint64_t completion_tokens = 0;
};

// One of the answers to a request.
struct ChoiceState {
  std::uint64_t seed = 0;  // of its text
  std::uint32_t index = 0;
  std::uint32_t prompt_tokens = 0;
  std::uint32_t tokens = 0;  // said so far
  Outcome outcome = Outcome::kStop;
};

// Writes the JSON of the answers to one request, whole or as server-sent events. What is the
// same in every event is made once: an event is a handful of appends.
class AnswerFormat {
 public:
  AnswerFormat(bool chat, std::string_view id, std::int64_t created_unix_s, std::string_view model);

  // Events. `usage`, when given, is so far and goes along.
  void AppendRole(std::string& out, const ChoiceState& choice,
                  const std::optional<Usage>& usage) const;
  // Tokens from `begin` to choice.tokens.
  void AppendTokens(std::string& out, const ChoiceState& choice, std::uint32_t begin,
                    const std::optional<Usage>& usage) const;
  void AppendFinish(std::string& out, const ChoiceState& choice,
                    const std::optional<Usage>& usage) const;
  void AppendUsage(std::string& out, const Usage& usage) const;
  static void AppendError(std::string& out, std::string_view message);
  static void AppendDone(std::string& out);

  // The body of an answer that is not a stream.
  [[nodiscard]] std::string Whole(std::span<const ChoiceState> choices, const Usage& usage) const;

 private:
  void BeginEvent(std::string& out, std::uint32_t index) const;

  bool chat_;
  std::string event_head_;  // up to the choices' bracket
  std::string whole_head_;
};

}  // namespace firstword::simulate
