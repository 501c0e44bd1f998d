#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "simulate/face/test_face_server.h"

namespace firstword::simulate {
namespace {

using testing::HasSubstr;

TEST(OpenAiRefusalTest, RefusesAsTheServerDoes) {
  FaceServer s;
  auto f = [&](const std::string& request, int status, const std::string& error) {
    const Seen seen = s.Fetch(request);
    EXPECT_EQ(seen.status, status) << request;
    EXPECT_EQ(seen.body, R"({"error":{"message":")" + error + std::to_string(status) + "}}");
    EXPECT_EQ(s.engine.counted.back().status, status);
    EXPECT_EQ(s.engine.counted.back().response_bytes, seen.body.size());
  };
  const std::string bad = R"(","type":"BadRequestError","param":null,"code":)";
  f(Post(kChat, Chat(R"(,"max_tokens":-1)")), 400,
    "max_tokens must be a whole number of at least 1, and is -1" + bad);
  f(Post(kChat, Chat(R"(,"max_tokens":2000)")), 400,
    "the prompt has 12 tokens and max_tokens asks for 2000 more, but the maximum context length "
    "is 1024 tokens (send a shorter prompt or max_tokens of at most 1012)" +
        bad);
  f(Post(kChat, R"({"model":"gpt-4","messages":[{"role":"user","content":"Hi"}]})"), 404,
    R"(The model `gpt-4` does not exist here (this server has `toy/model`; see GET /v1/models))"
    R"(","type":"NotFoundError","param":null,"code":)");
  f(Post(kCompletions, "{"), 400,
    "the request body is not JSON: at byte 1, expected a field name in double quotes" + bad);
  f(Post(kChat, Chat(), ""), 400,
    "the request has no Content-Type (send the body as application/json)" + bad);
  f(Post("/tokenize", "{}", "Content-Type: text/plain\r\n"), 400,
    R"(the Content-Type is \"text/plain\" (send the body as application/json))" + bad);
  f(Post("/tokenize", "{}"), 400, "prompt and messages are both missing (give one of them)" + bad);
  f(Post(kChat, Chat(), "Content-Type: application/json\r\nX-Simulate-Output-Tokens: 0\r\n"), 400,
    R"(the header x-simulate-output-tokens must be a whole number from 1 to 1000000000, )"
    R"(and is \"0\")" +
        bad);
  EXPECT_TRUE(s.engine.work.empty()) << "none of them reached the engine";
}

TEST(OpenAiRefusalTest, RefusesBodiesThatAreTooLarge) {
  FaceServer s({}, {.max_request_bytes = 1000});
  const Seen seen = s.Fetch(Post(kCompletions, std::string(2000, 'x')));
  EXPECT_EQ(seen.status, 413);
  EXPECT_EQ(seen.body,
            R"_({"error":{"message":"the request body is larger than this server takes (send a )_"
            R"_(shorter prompt)","type":"RequestTooLargeError","param":null,"code":413}})_");
  EXPECT_THAT(seen.head, HasSubstr("Content-Type: application/json"));
  EXPECT_EQ(s.engine.counted.back().status, 413);
}

TEST(OpenAiRefusalTest, RefusesWhatIsNoHttp) {
  FaceServer s;
  const Seen seen = s.Fetch("hello\r\n\r\n");
  EXPECT_EQ(seen.status, 400);
  EXPECT_THAT(seen.body, HasSubstr(R"({"error":{"message":"this is no HTTP request)"));
}

}  // namespace
}  // namespace firstword::simulate
