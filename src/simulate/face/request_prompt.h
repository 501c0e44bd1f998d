#pragma once

#include <vector>

#include "simulate/face/field_reader.h"
#include "simulate/face/openai_request.h"
#include "simulate/face/prompt_builder.h"

namespace firstword::simulate {

// The field `messages` through a chat template; an error stays in `fields`.
void AppendMessages(FieldReader& fields, PromptBuilder& builder);

// The field `prompt`: a string, token ids, or an array of either; empty after an error, which
// stays in `fields`.
[[nodiscard]] std::vector<Prompt> ReadPrompts(FieldReader& fields);

}  // namespace firstword::simulate
