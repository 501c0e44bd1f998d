#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "simulate/engine/request.h"

namespace firstword::simulate {

// What the server behind the face is.
struct ServedModel {
  std::string name;
  std::uint32_t max_model_len = 0;  // tokens of prompt and output together
};

using Prompt = std::vector<PromptPart>;

[[nodiscard]] std::uint32_t PromptTokens(const Prompt& prompt);

// The body of POST /v1/chat/completions or /v1/completions.
struct OpenAiRequest {
  std::vector<Prompt> prompts;              // chat: one; completions: at least one
  std::uint32_t n = 1;                      // answers to each prompt
  std::optional<std::uint32_t> max_tokens;  // fits behind every prompt
  std::uint32_t min_tokens = 0;
  int priority = 0;
  bool chat = false;
  bool stream = false;
  bool include_usage = false;
  bool continuous_usage = false;
  bool ignore_eos = false;
};

// The body of POST /tokenize.
struct TokenizeRequest {
  std::vector<std::uint32_t> tokens;
};

// kNotFound: another model is asked for. kLimit: more answers than one request may ask for.
// kParse: no JSON. kInvalid: the rest. A message names the field, or the byte, and what would
// be right.
[[nodiscard]] Result<OpenAiRequest> ParseChatRequest(std::string_view body,
                                                     const ServedModel& served);
[[nodiscard]] Result<OpenAiRequest> ParseCompletionRequest(std::string_view body,
                                                           const ServedModel& served);
[[nodiscard]] Result<TokenizeRequest> ParseTokenizeRequest(std::string_view body,
                                                           const ServedModel& served);

}  // namespace firstword::simulate
