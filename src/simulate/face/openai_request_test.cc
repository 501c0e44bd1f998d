#include "simulate/face/openai_request.h"

#include <gtest/gtest.h>

#include <string>

namespace firstword::simulate {
namespace {

const ServedModel kServed{.name = "toy/model", .max_model_len = 100};

constexpr std::string_view kUser = R"({"messages":[{"role":"user","content":"Hi"}])";

// The request that kUser with these fields makes.
OpenAiRequest Chat(std::string_view more) {
  const std::string body = std::string(kUser).append(more).append("}");
  auto request = ParseChatRequest(body, kServed);
  EXPECT_TRUE(request) << body << ": " << request.error().ToString();
  return request.value_or(OpenAiRequest{});
}

template <typename Parsed>
std::string MessageOf(const Result<Parsed>& parsed) {
  return parsed ? "accepted" : parsed.error().ToString();
}

TEST(OpenAiRequestTest, ReadsWhatItKnows) {
  const OpenAiRequest plain = Chat("");
  EXPECT_TRUE(plain.chat);
  EXPECT_FALSE(plain.stream);
  EXPECT_FALSE(plain.max_tokens);
  const OpenAiRequest full = Chat(
      R"(,"model":"toy/model","max_tokens":3,"max_completion_tokens":7.0,"min_tokens":2,"n":8,)"
      R"("stream":true,"stream_options":{"include_usage":true,"continuous_usage_stats":true},)"
      R"("ignore_eos":true,"priority":-5)");
  EXPECT_EQ(full.max_tokens, 7u) << "the newer name wins";
  EXPECT_EQ(full.min_tokens, 2u);
  EXPECT_EQ(full.n, 8u);
  EXPECT_EQ(full.priority, -5);
  EXPECT_TRUE(full.stream && full.include_usage && full.continuous_usage && full.ignore_eos);
  EXPECT_EQ(Chat(R"(,"max_tokens":3,"max_tokens":4)").max_tokens, 4u) << "the last one counts";
  EXPECT_FALSE(Chat(R"(,"max_tokens":null,"stop":null)").max_tokens);
}

TEST(OpenAiRequestTest, AcceptsWhatChangesNothingHere) {
  Chat(R"(,"temperature":0.7,"top_p":1,"top_k":-1,"min_p":0,"presence_penalty":-2,"seed":-1,)"
       R"("frequency_penalty":0.5,"repetition_penalty":1.1,"stop":["a","b"],"user":"me",)"
       R"("logit_bias":{"5":1},"tools":[],"tool_choice":"auto","response_format":{"type":"text"},)"
       R"("logprobs":true,"top_logprobs":5,"something_new":[1,{}])");
  Chat(R"(,"stop":"x","seed":null,"logprobs":null,"top_logprobs":0)");
}

TEST(OpenAiRequestTest, ReadsMessages) {
  auto f = [](std::string_view messages, std::uint32_t tokens) {
    const auto request =
        ParseChatRequest(R"({"messages":[)" + std::string(messages) + "]}", kServed);
    ASSERT_TRUE(request) << messages << ": " << request.error().ToString();
    EXPECT_EQ(PromptTokens(request->prompts[0]), tokens) << messages;
  };
  // 14 + 8 bytes of the template around each "user" message, 19 at the end.
  f(R"({"role":"user","content":""})", 11);
  f(R"({"role":"user","content":"0123"})", 12);
  f(R"({"role":"user","content":[{"type":"text","text":"01"},{"type":"text","text":"23"}]})", 12);
  f(R"({"role":"user","content":[{"text":"0123"}]})", 12);
  f(R"({"role":"system","content":"s"},{"role":"assistant","content":"a"},{"role":"user","content":"u"})",
    24);
  f(R"({"role":"assistant","content":null,"tool_calls":[{"id":"c"}]},{"role":"tool","content":"1"})",
    21);
}

TEST(OpenAiRequestTest, ReadsPromptsOfEveryKind) {
  auto f = [](std::string_view prompt, const std::vector<std::uint32_t>& want) {
    const auto request =
        ParseCompletionRequest(R"({"prompt":)" + std::string(prompt) + "}", kServed);
    ASSERT_TRUE(request) << prompt << ": " << request.error().ToString();
    std::vector<std::uint32_t> tokens;
    for (const Prompt& one : request->prompts) tokens.push_back(PromptTokens(one));
    EXPECT_EQ(tokens, want) << prompt;
  };
  f(R"("")", {1});
  f(R"("01234")", {2});
  f(R"([1,2,3])", {3});
  f(R"(["a","01234"])", {1, 2});
  f(R"([[1,2],[],"a"])", {2, 1, 1});
}

TEST(OpenAiRequestTest, SaysWhatIsWrongInAChat) {
  auto f = [](std::string_view more, std::string_view want) {
    const std::string body = std::string(kUser).append(more).append("}");
    EXPECT_EQ(MessageOf(ParseChatRequest(body, kServed)), want) << more;
  };
  f(R"(,"max_tokens":-1)", "max_tokens must be a whole number of at least 1, and is -1");
  f(R"(,"max_tokens":0)", "max_tokens must be a whole number of at least 1, and is 0");
  f(R"(,"max_tokens":1.5)", "max_tokens must be a whole number of at least 1, and is 1.5");
  f(R"(,"max_tokens":"ten")", "max_tokens must be a whole number of at least 1, and is a string");
  f(R"(,"max_completion_tokens":0)",
    "max_completion_tokens must be a whole number of at least 1, and is 0");
  f(R"(,"max_tokens":90)",
    "the prompt has 11 tokens and max_tokens asks for 90 more, but the maximum context length is "
    "100 tokens (send a shorter prompt or max_tokens of at most 89)");
  f(R"(,"max_tokens":99999999999999)",
    "the prompt has 11 tokens and max_tokens asks for 1000000000 more, but the maximum context "
    "length is 100 tokens (send a shorter prompt or max_tokens of at most 89)");
  f(R"(,"max_tokens":5,"min_tokens":6)",
    "min_tokens is 6, more than max_tokens, which is 5 (lower min_tokens or raise max_tokens)");
  f(R"(,"n":9)", "n must be a whole number of at least 1 and at most 8, and is 9");
  f(R"(,"n":true)", "n must be a whole number of at least 1 and at most 8, and is a boolean");
  f(R"(,"stream":"yes")", "stream must be true or false, and is a string");
  f(R"(,"stream":true,"stream_options":[])", "stream_options must be an object, and is an array");
  f(R"(,"stream":true,"stream_options":{"include_usage":1})",
    "stream_options.include_usage must be true or false, and is 1");
  f(R"(,"stream_options":{})",
    "stream_options is given without stream (set stream to true or leave stream_options out)");
  f(R"(,"temperature":"hot")", "temperature must be a number from 0 to 1000000, and is a string");
  f(R"(,"top_p":1.5)", "top_p must be a number from 0 to 1, and is 1.5");
  f(R"(,"stop":[1])", "stop must be a string or an array of strings, and is an array");
  f(R"(,"logprobs":5)", "logprobs must be true or false, and is 5");
  f(R"(,"top_logprobs":5)", "top_logprobs is given without logprobs (set logprobs to true)");
  f(R"(,"model":"gpt")",
    "The model `gpt` does not exist here (this server has `toy/model`; see GET /v1/models)");
  f(R"(,"model":5)", "model must be a string, and is 5");
  f(R"(,"max_tokens":-1,"model":"gpt")",
    "max_tokens must be a whole number of at least 1, and is -1");
}

TEST(OpenAiRequestTest, SaysWhatIsWrongInMessages) {
  auto f = [](std::string_view body, std::string_view want) {
    EXPECT_EQ(MessageOf(ParseChatRequest(body, kServed)), want) << body;
  };
  f("{}", R"(messages is missing (give an array of {"role": ..., "content": ...}))");
  f(R"({"messages":[]})", R"(messages is empty (give an array of {"role": ..., "content": ...}))");
  f(R"({"messages":"Hi"})", "messages must be an array, and is a string");
  f(R"({"messages":["Hi"]})",
    "messages[0] must be an object with role and content, and is a string");
  f(R"({"messages":[{"role":"user","content":"a"},{"content":"b"}]})",
    "messages[1].role is missing (give system, user, assistant or tool)");
  f(R"({"messages":[{"role":"user"}]})",
    "messages[0].content is missing (give a string or an array of text parts)");
  f(R"({"messages":[{"role":"user","content":5}]})",
    "messages[0].content must be a string or an array of text parts, and is 5");
  f(R"({"messages":[{"role":"user","content":[{"type":"text","text":"a"},7]}]})",
    "messages[0].content[1] must be an object with type and text, and is a number");
  f(R"({"messages":[{"role":"user","content":[{"type":"image_url","image_url":{}}]}]})",
    R"(messages[0].content[0].type is "image_url" (this simulated model reads text parts only))");
  f(R"({"messages":[{"role":"user","content":[{"type":"text"}]}]})",
    "messages[0].content[0].text is missing (this simulated model reads text parts only)");
  const std::string long_body =
      R"({"messages":[{"role":"user","content":")" + std::string(400, 'x') + R"("}]})";
  f(long_body,
    "the prompt has 111 tokens, which leaves no room for an answer: the maximum context length is "
    "100 tokens (send a shorter prompt)");
}

TEST(OpenAiRequestTest, SaysWhatIsWrongInACompletion) {
  auto f = [](std::string_view fields, std::string_view want) {
    const std::string body = "{" + std::string(fields) + "}";
    EXPECT_EQ(MessageOf(ParseCompletionRequest(body, kServed)), want) << fields;
  };
  constexpr std::string_view kKinds = "a string, an array of token ids, or an array of either";
  f("", "prompt is missing (give " + std::string(kKinds) + ")");
  f(R"("prompt":[])", "prompt is empty (give " + std::string(kKinds) + ")");
  f(R"("prompt":{})", "prompt must be " + std::string(kKinds) + ", and is an object");
  f(R"("prompt":[1,"a"])", "prompt must be an array of token ids only (whole numbers from 0)");
  f(R"("prompt":[-1])", "prompt must be an array of token ids only (whole numbers from 0)");
  f(R"("prompt":["a",1])", "prompt[1] must be a string or an array of token ids");
  f(R"("prompt":["a",["b"]])", "prompt[1] must be a string or an array of token ids");
  f(R"("prompt":"a","echo":true)",
    "echo is true, and this simulated server cannot repeat the prompt (leave echo out)");
  f(R"("prompt":"a","suffix":"z")",
    "suffix is given, and this server cannot fill in the middle (leave suffix out)");
  f(R"("prompt":"a","logprobs":true)",
    "logprobs must be a whole number of at least 0 and at most 20, and is a boolean");
  std::string many = R"("n":8,"prompt":["a")";
  for (int i = 0; i < 32; ++i) many += R"(,"a")";
  f(many + "]",
    "33 prompts with n of 8 are more than the 256 answers that one request may ask for (send "
    "several requests)");
}

TEST(OpenAiRequestTest, PointsAtTheByteThatIsNoJson) {
  auto f = [](std::string_view body, std::string_view want) {
    EXPECT_EQ(MessageOf(ParseChatRequest(body, kServed)), want) << body;
  };
  f("", "the request body is not JSON: at byte 0, expected a value");
  f("hello", "the request body is not JSON: at byte 0, expected a value");
  f(R"({"messages": [)", "the request body is not JSON: at byte 14, expected a value");
  f(R"({"messages" 5})",
    "the request body is not JSON: at byte 12, expected a colon after the field name");
  f(R"([])", "the request body must be an object, and is an array");
  f(R"({"a":1e999})",
    "the request body is JSON that cannot be read: Problem while parsing a number");
}

TEST(OpenAiRequestTest, Tokenizes) {
  auto f = [](std::string_view body) { return ParseTokenizeRequest(body, kServed); };
  EXPECT_EQ(f(R"({"prompt":"abcdabcd"})")->tokens.size(), 2u);
  EXPECT_EQ(f(R"({"prompt":"abcdabcd"})")->tokens[0], f(R"({"prompt":"abcd"})")->tokens[0]);
  EXPECT_EQ(f(R"({"messages":[{"role":"user","content":""}]})")->tokens.size(), 11u);
  EXPECT_EQ(MessageOf(f("{}")), "prompt and messages are both missing (give one of them)");
  EXPECT_EQ(f(R"({"prompt":"a","model":"gpt"})").error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace firstword::simulate
