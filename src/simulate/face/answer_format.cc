#include "simulate/face/answer_format.h"

#include <fmt/format.h>

#include "simulate/face/error_body.h"
#include "simulate/face/json_text.h"
#include "simulate/face/token_text.h"

namespace firstword::simulate {
namespace {

constexpr std::string_view kEventEnd = "}\n\n";

std::string_view FinishReason(Outcome outcome) {
  switch (outcome) {
    case Outcome::kStop:
      return "stop";
    case Outcome::kLength:
      return "length";
    case Outcome::kAbort:
      return "abort";
    case Outcome::kError:
      break;
  }
  return "error";
}

std::string Head(std::string_view id, std::string_view object, std::int64_t created,
                 std::string_view model) {
  return fmt::format(R"({{"id":{},"object":"{}","created":{},"model":{},"choices":[)",
                     JsonString(id), object, created, JsonString(model));
}

void AppendUsageField(std::string& out, const Usage& usage) {
  out += R"(,"usage":{"prompt_tokens":)";
  AppendNumber(out, usage.prompt_tokens);
  out += R"(,"total_tokens":)";
  AppendNumber(out, usage.prompt_tokens + usage.completion_tokens);
  out += R"(,"completion_tokens":)";
  AppendNumber(out, usage.completion_tokens);
  out += '}';
}

void EndEvent(std::string& out, const std::optional<Usage>& usage) {
  out += ']';
  if (usage) AppendUsageField(out, *usage);
  out += kEventEnd;
}

}  // namespace

AnswerFormat::AnswerFormat(bool chat, std::string_view id, std::int64_t created_unix_s,
                           std::string_view model)
    : chat_(chat),
      event_head_("data: " + Head(id, chat ? "chat.completion.chunk" : "text_completion",
                                  created_unix_s, model)),
      whole_head_(Head(id, chat ? "chat.completion" : "text_completion", created_unix_s, model)) {}

void AnswerFormat::BeginEvent(std::string& out, std::uint32_t index) const {
  out += event_head_;
  out += R"({"index":)";
  AppendNumber(out, index);
}

void AnswerFormat::AppendRole(std::string& out, const ChoiceState& choice,
                              const std::optional<Usage>& usage) const {
  BeginEvent(out, choice.index);
  out += R"(,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null})";
  EndEvent(out, usage);
}

void AnswerFormat::AppendTokens(std::string& out, const ChoiceState& choice, std::uint32_t begin,
                                const std::optional<Usage>& usage) const {
  BeginEvent(out, choice.index);
  out += chat_ ? R"(,"delta":{"content":")" : R"(,"text":")";
  AppendTokenTexts(out, choice.seed, begin, choice.tokens);
  out += chat_ ? R"("},"logprobs":null,"finish_reason":null})"
               : R"(","logprobs":null,"finish_reason":null,"stop_reason":null})";
  EndEvent(out, usage);
}

void AnswerFormat::AppendFinish(std::string& out, const ChoiceState& choice,
                                const std::optional<Usage>& usage) const {
  BeginEvent(out, choice.index);
  out += chat_ ? R"(,"delta":{"content":""})" : R"(,"text":"")";
  out += R"(,"logprobs":null,"finish_reason":")";
  out += FinishReason(choice.outcome);
  out += R"(","stop_reason":null})";
  EndEvent(out, usage);
}

void AnswerFormat::AppendUsage(std::string& out, const Usage& usage) const {
  out += event_head_;
  EndEvent(out, usage);
}

void AnswerFormat::AppendError(std::string& out, std::string_view message) {
  out += "data: ";
  out += ErrorBody(500, message);
  out += "\n\n";
}

void AnswerFormat::AppendDone(std::string& out) { out += "data: [DONE]\n\n"; }

std::string AnswerFormat::Whole(std::span<const ChoiceState> choices, const Usage& usage) const {
  std::string out = whole_head_;
  for (const ChoiceState& choice : choices) {
    if (choice.index != 0) out += ',';
    out += R"({"index":)";
    AppendNumber(out, choice.index);
    out += chat_ ? R"(,"message":{"role":"assistant","content":")" : R"(,"text":")";
    AppendTokenTexts(out, choice.seed, 0, choice.tokens);
    out += '"';
    if (chat_) out += R"(,"refusal":null,"tool_calls":[]})";
    out += R"(,"logprobs":null,"finish_reason":")";
    out += FinishReason(choice.outcome);
    out += R"(","stop_reason":null})";
  }
  out += ']';
  AppendUsageField(out, usage);
  out += '}';
  return out;
}

}  // namespace firstword::simulate
