#include "simulate/face/request_prompt.h"

#include <fmt/format.h>

#include "simulate/face/json_text.h"

namespace firstword::simulate {
namespace {

constexpr std::int64_t kMostTokenId = 10'000'000;
constexpr std::string_view kPartHint = "this simulated model reads text parts only";

// One part of an array as content: {"type": "text", "text": "..."}.
void AppendPart(FieldReader& fields, const std::string& where, const JsonElement& element,
                PromptBuilder& builder) {
  JsonObject object;
  if (element.get_object().get(object) != simdjson::SUCCESS) {
    return fields.Refuse(
        fmt::format("{} must be an object with type and text, and is {}", where, KindOf(element)),
        {});
  }
  FieldReader part(object, where + ".");
  const auto type = part.String("type");
  const auto text = part.String("text");
  if (!part.good()) return fields.Refuse(part.error().message, {});
  if (type && *type != "text" && *type != "refusal") {
    return fields.Refuse(fmt::format("{}.type is \"{}\"", where, Shown(*type)),
                         std::string(kPartHint));
  }
  if (!text && !(type == "refusal")) {
    return fields.Refuse(fmt::format("{}.text is missing", where), std::string(kPartHint));
  }
  if (text) builder.AppendText(*text);
}

void AppendContent(FieldReader& fields, FieldReader& message, PromptBuilder& builder) {
  const auto content = message.Find("content");
  if (!content) {
    // An answer that was only a call of tools has none.
    if (message.Find("tool_calls") || message.Find("function_call")) return;
    return fields.Refuse(fmt::format("{} is missing", message.Path("content")),
                         "give a string or an array of text parts");
  }
  std::string_view text;
  if (content->get_string().get(text) == simdjson::SUCCESS) return builder.AppendText(text);
  JsonArray parts;
  if (content->get_array().get(parts) != simdjson::SUCCESS) {
    return message.Refuse("content", "a string or an array of text parts", *content);
  }
  std::size_t index = 0;
  for (const JsonElement part : parts) {
    AppendPart(fields, fmt::format("{}[{}]", message.Path("content"), index++), part, builder);
  }
}

void AppendMessage(FieldReader& fields, std::size_t index, const JsonElement& element,
                   PromptBuilder& builder) {
  JsonObject object;
  if (element.get_object().get(object) != simdjson::SUCCESS) {
    return fields.Refuse(
        fmt::format("messages[{}] must be an object with role and content, and is {}", index,
                    KindOf(element)),
        {});
  }
  FieldReader message(object, fmt::format("messages[{}].", index));
  const auto role = message.String("role");
  if (message.good() && (!role || role->empty())) {
    message.Refuse(fmt::format("{} is missing", message.Path("role")),
                   "give system, user, assistant or tool");
  }
  if (message.good()) {
    builder.AppendText("<|start|>");
    builder.AppendText(*role);
    builder.AppendText("\n");
    AppendContent(fields, message, builder);
    if (const auto calls = message.Array("tool_calls")) {
      builder.AppendText(simdjson::minify(*calls));
    }
    builder.AppendText("<|end|>\n");
  }
  if (!message.good()) fields.Refuse(message.error().message, message.error().hint);
}

// False when an element is no token id.
bool AppendIds(const JsonArray& ids, PromptBuilder& builder) {
  for (const JsonElement element : ids) {
    std::int64_t id = -1;
    if (element.get_int64().get(id) != simdjson::SUCCESS || id < 0 || id > kMostTokenId) {
      return false;
    }
    builder.AppendToken(static_cast<std::uint32_t>(id));
  }
  return true;
}

}  // namespace

void AppendMessages(FieldReader& fields, PromptBuilder& builder) {
  const auto messages = fields.Array("messages");
  if (!fields.good()) return;
  if (!messages || messages->begin() == messages->end()) {
    return fields.Refuse(messages ? "messages is empty" : "messages is missing",
                         "give an array of {\"role\": ..., \"content\": ...}");
  }
  std::size_t index = 0;
  for (const JsonElement message : *messages) {
    AppendMessage(fields, index++, message, builder);
    if (!fields.good()) return;
  }
  if (fields.Bool("add_generation_prompt", true)) builder.AppendText("<|start|>assistant\n");
}

std::vector<Prompt> ReadPrompts(FieldReader& fields) {
  constexpr std::string_view kMustBe = "a string, an array of token ids, or an array of either";
  const auto prompt = fields.Find("prompt");
  std::string_view text;
  JsonArray array;
  std::vector<Prompt> prompts;
  const auto add_text = [&] {
    PromptBuilder builder;
    builder.AppendText(text);
    prompts.push_back(builder.Finish());
  };
  if (!prompt) {
    fields.Refuse("prompt is missing", fmt::format("give {}", kMustBe));
  } else if (prompt->get_string().get(text) == simdjson::SUCCESS) {
    add_text();
  } else if (prompt->get_array().get(array) != simdjson::SUCCESS) {
    fields.Refuse("prompt", kMustBe, *prompt);
  } else if (array.begin() == array.end()) {
    fields.Refuse("prompt is empty", fmt::format("give {}", kMustBe));
  } else if ((*array.begin()).is_number()) {
    PromptBuilder builder;
    if (AppendIds(array, builder)) {
      prompts.push_back(builder.Finish());
    } else {
      fields.Refuse("prompt must be an array of token ids only", "whole numbers from 0");
    }
  } else {
    for (const JsonElement element : array) {
      PromptBuilder builder;
      JsonArray ids;
      if (element.get_string().get(text) == simdjson::SUCCESS) {
        add_text();
      } else if (element.get_array().get(ids) == simdjson::SUCCESS && AppendIds(ids, builder)) {
        prompts.push_back(builder.Finish());
      } else {
        fields.Refuse(
            fmt::format("prompt[{}] must be a string or an array of token ids", prompts.size()),
            {});
        break;
      }
    }
  }
  if (!fields.good()) prompts.clear();
  return prompts;
}

}  // namespace firstword::simulate
