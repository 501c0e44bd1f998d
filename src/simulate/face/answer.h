#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "net/reply.h"
#include "simulate/face/answer_format.h"
#include "simulate/face/openai_request.h"
#include "simulate/face/served_engine.h"

namespace firstword::simulate {

// What belongs to one request of a client besides its body.
struct AnswerOrder {
  OpenAiRequest request;
  std::size_t request_bytes = 0;
  std::int64_t created_unix_s = 0;
  std::vector<std::uint32_t> output_tokens;  // one for each answer, as the engine takes it
  std::vector<std::uint64_t> output_texts;   // likewise
};

// Answers one request: one engine request for each choice, one reply for them all. Lives as
// long as its reply waits for something, and takes its requests out of the engine when the
// client goes away before they ended.
class Answer : public std::enable_shared_from_this<Answer> {
 public:
  // `engine` and `scratch` outlive the reply's server. `scratch` is for everybody.
  static void Start(ServedEngine& engine, std::string& scratch, AnswerOrder order,
                    const std::shared_ptr<net::Reply>& reply);
  Answer(ServedEngine& engine, std::string& scratch, const AnswerOrder& order,
         std::shared_ptr<net::Reply> reply);
  ~Answer();
  Answer(const Answer&) = delete;
  Answer& operator=(const Answer&) = delete;

 private:
  struct Choice final : TokenListener {
    void OnTokens(std::uint32_t count) override { answer->OnTokens(index, count); }
    void OnEnd(const RequestRecord& record) override { answer->OnEnd(index, record); }

    Answer* answer = nullptr;
    std::uint32_t index = 0;
    RequestId id = 0;
    bool ended = true;
  };

  void Submit(AnswerOrder order);
  void OnTokens(std::uint32_t index, std::uint32_t count);
  void OnEnd(std::uint32_t index, const RequestRecord& record);
  void OnGone();
  void AbortRest();
  void AppendRoles();
  void Write();
  void Finish();
  void Break();
  [[nodiscard]] Usage usage() const;
  [[nodiscard]] std::optional<Usage> UsageSoFar(const ChoiceState& state) const;

  ServedEngine& engine_;
  std::string& scratch_;
  std::shared_ptr<net::Reply> reply_;
  std::vector<Choice> choices_;  // never moves: the engine knows the addresses
  std::vector<ChoiceState> states_;
  std::optional<AnswerFormat> format_;  // from the first request's id on
  const std::size_t request_bytes_;
  std::size_t response_bytes_ = 0;
  std::uint64_t prompt_tokens_ = 0;  // of all prompts, however many answers each gets
  std::size_t unended_ = 0;
  const bool chat_;
  const bool stream_;
  const bool include_usage_;
  const bool continuous_usage_;
  bool roles_sent_ = false;
};

}  // namespace firstword::simulate
