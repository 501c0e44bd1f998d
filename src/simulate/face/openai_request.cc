#include "simulate/face/openai_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "simulate/face/field_reader.h"
#include "simulate/face/json_text.h"
#include "simulate/face/request_prompt.h"

namespace firstword::simulate {
namespace {

constexpr std::uint32_t kMostN = 8;
constexpr std::size_t kMostAnswers = 256;
constexpr std::int64_t kMostTokens = 1'000'000'000;
constexpr auto kAnyWhole = std::numeric_limits<std::int64_t>::min();

Result<JsonObject> ParseObject(simdjson::dom::parser& parser, std::string_view body) {
  JsonElement document;
  if (const auto error = parser.parse(body.data(), body.size()).get(document)) {
    if (const auto fault = FindJsonFault(body)) {
      return Fail(ErrorCode::kParse,
                  fmt::format("the request body is not JSON: at byte {}, expected {}",
                              fault->offset, fault->what));
    }
    return Fail(ErrorCode::kParse, fmt::format("the request body is JSON that cannot be read: {}",
                                               simdjson::error_message(error)));
  }
  JsonObject object;
  if (document.get_object().get(object) != simdjson::SUCCESS) {
    return Fail(ErrorCode::kInvalid,
                fmt::format("the request body must be an object, and is {}", KindOf(document)));
  }
  return object;
}

Result<void> CheckModel(FieldReader& fields, const ServedModel& served) {
  const auto model = fields.String("model");
  if (!fields.good()) return std::unexpected(fields.error());
  if (!model || *model == served.name) return {};
  return Fail(ErrorCode::kNotFound,
              fmt::format("The model `{}` does not exist here", Shown(*model)),
              fmt::format("this server has `{}`; see GET /v1/models", served.name));
}

// Fields that change nothing in a simulated answer. Their types are still checked, so that a
// client that would fail against the real engine fails here.
void CheckIgnored(FieldReader& fields) {
  fields.CheckNumber("temperature", 0, 1e6);
  fields.CheckNumber("top_p", 0, 1);
  fields.CheckNumber("min_p", 0, 1);
  fields.CheckNumber("presence_penalty", -2, 2);
  fields.CheckNumber("frequency_penalty", -2, 2);
  fields.CheckNumber("repetition_penalty", 0, 1e6);
  fields.CheckNumber("length_penalty", -1e6, 1e6);
  fields.Whole("top_k", -1);
  fields.Whole("seed", kAnyWhole);
  fields.String("user");
  fields.Array("tools");
  fields.Object("logit_bias");
  fields.Object("response_format");
  fields.Bool("skip_special_tokens");
  const auto stop = fields.Find("stop");
  if (!stop || stop->is_string()) return;
  JsonArray array;
  const bool strings = stop->get_array().get(array) == simdjson::SUCCESS &&
                       std::ranges::all_of(array, [](JsonElement e) { return e.is_string(); });
  if (!strings) fields.Refuse("stop", "a string or an array of strings", *stop);
}

void ReadStream(FieldReader& fields, OpenAiRequest& request) {
  request.stream = fields.Bool("stream");
  const auto options = fields.Object("stream_options");
  if (!options) return;
  if (!request.stream) {
    return fields.Refuse("stream_options is given without stream",
                         "set stream to true or leave stream_options out");
  }
  FieldReader stream(*options, "stream_options.");
  request.include_usage = stream.Bool("include_usage");
  request.continuous_usage = stream.Bool("continuous_usage_stats") && request.include_usage;
  if (!stream.good()) fields.Refuse(stream.error().message, stream.error().hint);
}

void ReadLengths(FieldReader& fields, OpenAiRequest& request) {
  const auto tokens = [&](std::string_view name, std::int64_t least) {
    const auto whole = fields.Whole(name, least);
    return whole ? std::optional(static_cast<std::uint32_t>(std::min(*whole, kMostTokens)))
                 : std::nullopt;
  };
  request.max_tokens = tokens("max_tokens", 1);
  if (request.chat) {
    if (const auto newer = tokens("max_completion_tokens", 1)) request.max_tokens = newer;
  }
  request.min_tokens = tokens("min_tokens", 0).value_or(0);
  if (request.max_tokens && request.min_tokens > *request.max_tokens) {
    fields.Refuse(fmt::format("min_tokens is {}, more than max_tokens, which is {}",
                              request.min_tokens, *request.max_tokens),
                  "lower min_tokens or raise max_tokens");
  }
  request.ignore_eos = fields.Bool("ignore_eos");
}

void CheckLogprobs(FieldReader& fields, bool chat) {
  if (chat) {
    const bool wanted = fields.Bool("logprobs");
    const auto top = fields.Whole("top_logprobs", 0, 20);
    if (top.value_or(0) > 0 && !wanted) {
      fields.Refuse("top_logprobs is given without logprobs", "set logprobs to true");
    }
    return;
  }
  fields.Whole("logprobs", 0, 20);
  if (fields.Bool("echo")) {
    fields.Refuse("echo is true, and this simulated server cannot repeat the prompt",
                  "leave echo out");
  }
  const auto suffix = fields.String("suffix");
  if (suffix && !suffix->empty()) {
    fields.Refuse("suffix is given, and this server cannot fill in the middle", "leave suffix out");
  }
}

Result<void> CheckRoom(const OpenAiRequest& request, const ServedModel& served) {
  for (const Prompt& prompt : request.prompts) {
    const std::uint32_t tokens = PromptTokens(prompt);
    if (tokens >= served.max_model_len) {
      return Fail(ErrorCode::kInvalid,
                  fmt::format("the prompt has {} tokens, which leaves no room for an answer: the "
                              "maximum context length is {} tokens",
                              tokens, served.max_model_len),
                  "send a shorter prompt");
    }
    if (std::uint64_t{tokens} + request.max_tokens.value_or(0) > served.max_model_len) {
      return Fail(ErrorCode::kInvalid,
                  fmt::format("the prompt has {} tokens and max_tokens asks for {} more, but the "
                              "maximum context length is {} tokens",
                              tokens, *request.max_tokens, served.max_model_len),
                  fmt::format("send a shorter prompt or max_tokens of at most {}",
                              served.max_model_len - tokens));
    }
  }
  if (request.prompts.size() * request.n > kMostAnswers) {
    return Fail(ErrorCode::kLimit,
                fmt::format("{} prompts with n of {} are more than the {} answers that one "
                            "request may ask for",
                            request.prompts.size(), request.n, kMostAnswers),
                "send several requests");
  }
  return {};
}

Result<OpenAiRequest> Parse(std::string_view body, const ServedModel& served, bool chat) {
  simdjson::dom::parser parser;
  const auto object = ParseObject(parser, body);
  if (!object) return std::unexpected(object.error());
  FieldReader fields(*object);
  // As the real engine does: first what can be judged by the body alone, then the model.
  OpenAiRequest request;
  request.chat = chat;
  if (chat) {
    PromptBuilder builder;
    AppendMessages(fields, builder);
    request.prompts.push_back(builder.Finish());
  } else {
    request.prompts = ReadPrompts(fields);
  }
  request.n = static_cast<std::uint32_t>(fields.Whole("n", 1, kMostN).value_or(1));
  constexpr std::int64_t kMostPriority = std::numeric_limits<int>::max();
  request.priority =
      static_cast<int>(fields.Whole("priority", -kMostPriority, kMostPriority).value_or(0));
  ReadLengths(fields, request);
  ReadStream(fields, request);
  CheckLogprobs(fields, chat);
  CheckIgnored(fields);
  if (!fields.good()) return std::unexpected(fields.error());
  if (const auto known = CheckModel(fields, served); !known) {
    return std::unexpected(known.error());
  }
  if (const auto fits = CheckRoom(request, served); !fits) return std::unexpected(fits.error());
  return request;
}

}  // namespace

std::uint32_t PromptTokens(const Prompt& prompt) {
  return std::accumulate(
      prompt.begin(), prompt.end(), std::uint32_t{0},
      [](std::uint32_t sum, const PromptPart& part) { return sum + part.tokens; });
}

Result<OpenAiRequest> ParseChatRequest(std::string_view body, const ServedModel& served) {
  return Parse(body, served, true);
}

Result<OpenAiRequest> ParseCompletionRequest(std::string_view body, const ServedModel& served) {
  return Parse(body, served, false);
}

Result<TokenizeRequest> ParseTokenizeRequest(std::string_view body, const ServedModel& served) {
  simdjson::dom::parser parser;
  const auto object = ParseObject(parser, body);
  if (!object) return std::unexpected(object.error());
  FieldReader fields(*object);
  TokenizeRequest request;
  PromptBuilder builder(&request.tokens);
  if (fields.Find("messages")) {
    AppendMessages(fields, builder);
  } else if (const auto prompt = fields.String("prompt")) {
    builder.AppendText(*prompt);
  } else if (fields.good()) {
    fields.Refuse("prompt and messages are both missing", "give one of them");
  }
  if (!fields.good()) return std::unexpected(fields.error());
  if (const auto known = CheckModel(fields, served); !known) {
    return std::unexpected(known.error());
  }
  (void)builder.Finish();
  return request;
}

}  // namespace firstword::simulate
