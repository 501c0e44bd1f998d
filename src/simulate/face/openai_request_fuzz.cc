#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "simulate/face/error_body.h"
#include "simulate/face/json_text.h"
#include "simulate/face/openai_request.h"

namespace {

using namespace firstword::simulate;

const ServedModel kServed{.name = "m", .max_model_len = 1000};

void Check(bool good) {
  if (!good) std::abort();
}

// The engine relies on what was accepted; a client can read why something was not.
void CheckParsed(const firstword::Result<OpenAiRequest>& parsed) {
  if (!parsed) {
    simdjson::dom::parser parser;
    Check(parser.parse(ErrorBody(StatusOf(parsed.error()), parsed.error().ToString())).error() ==
          simdjson::SUCCESS);
    return;
  }
  Check(!parsed->prompts.empty() && parsed->n >= 1);
  Check(parsed->prompts.size() * parsed->n <= 256);
  for (const Prompt& prompt : parsed->prompts) {
    const std::uint64_t tokens = PromptTokens(prompt);
    Check(tokens >= 1 && tokens + parsed->max_tokens.value_or(1) <= kServed.max_model_len);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  CheckParsed(ParseChatRequest(body, kServed));
  CheckParsed(ParseCompletionRequest(body, kServed));
  (void)ParseTokenizeRequest(body, kServed);
  // The two judges of JSON agree, but for what an escape or a number means.
  simdjson::dom::parser parser;
  if (parser.parse(body.data(), body.size()).error() == simdjson::SUCCESS) {
    Check(!FindJsonFault(body));
  }
  return 0;
}
