#include "simulate/face/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "simulate/face/error_body.h"

namespace firstword::simulate {
namespace {

constexpr std::string_view kEvents = "text/event-stream; charset=utf-8";
constexpr std::string_view kDied =
    "the engine died while it worked on this request; send it again once GET /health answers 200";
constexpr std::uint32_t kDefaultCompletionTokens = 16;  // of the completions API

// 32 digits, as a client expects them.
std::string AnswerId(bool chat, RequestId id) {
  const std::uint64_t spread = (id + 1) * 0x9e3779b97f4a7c15ULL;
  return fmt::format("{}-{:016x}{:016x}", chat ? "chatcmpl" : "cmpl", spread, id);
}

}  // namespace

void Answer::Start(ServedEngine& engine, std::string& scratch, AnswerOrder order,
                   const std::shared_ptr<net::Reply>& reply) {
  const auto answer = std::make_shared<Answer>(engine, scratch, order, reply);
  // This is what keeps the answer; the reply drops it when it ends or its server does.
  reply->OnClose([answer] { answer->OnGone(); });
  answer->Submit(std::move(order));
}

Answer::Answer(ServedEngine& engine, std::string& scratch, const AnswerOrder& order,
               std::shared_ptr<net::Reply> reply)
    : engine_(engine),
      scratch_(scratch),
      reply_(std::move(reply)),
      choices_(order.request.prompts.size() * order.request.n),
      states_(choices_.size()),
      request_bytes_(order.request_bytes),
      unended_(choices_.size()),
      chat_(order.request.chat),
      stream_(order.request.stream),
      include_usage_(order.request.include_usage),
      continuous_usage_(order.request.continuous_usage) {
  CHECK(order.output_tokens.size() == choices_.size());
  CHECK(order.output_texts.size() == choices_.size());
  for (const Prompt& prompt : order.request.prompts) prompt_tokens_ += PromptTokens(prompt);
  for (std::uint32_t index = 0; index < states_.size(); ++index) {
    states_[index].index = index;
    states_[index].prompt_tokens = PromptTokens(order.request.prompts[index / order.request.n]);
  }
}

Answer::~Answer() { AbortRest(); }

// A submission may let the engine's clock go on, so what was submitted before it may speak,
// end or die meanwhile.
void Answer::Submit(AnswerOrder order) {
  if (stream_) reply_->Begin(200, kEvents);
  const std::uint32_t limit = engine_.max_model_len();
  for (std::uint32_t index = 0; index < choices_.size(); ++index) {
    ChoiceState& state = states_[index];
    const std::uint32_t room = limit - state.prompt_tokens;
    const std::uint32_t by_default = chat_ ? room : std::min(room, kDefaultCompletionTokens);
    Prompt prompt = order.request.prompts[index / order.request.n];
    // What is said differs from answer to answer, so no other may find it in the cache.
    prompt.push_back({.text = order.output_texts[index], .offset = 0, .tokens = 0});
    Choice& choice = choices_[index];
    choice.answer = this;
    choice.index = index;
    choice.id = engine_.Submit({.prompt = std::move(prompt),
                                .output_tokens = order.output_tokens[index],
                                .max_tokens = order.request.max_tokens.value_or(by_default),
                                .priority = order.request.priority,
                                .streaming = stream_,
                                .watched = stream_},
                               &choice);
    if (unended_ == 0) return engine_.Abort(choice.id);  // the others died, and the reply ended
    choice.ended = false;
    state.seed = choice.id;
    if (!format_) {
      format_.emplace(chat_, AnswerId(chat_, choice.id), order.created_unix_s, engine_.model());
    }
  }
}

void Answer::OnTokens(std::uint32_t index, std::uint32_t count) {
  ChoiceState& state = states_[index];
  const std::uint32_t begin = state.tokens;
  state.tokens += count;
  // A client that was cut off is told to OnGone() a little later.
  if (!stream_ || count == 0 || !reply_->open()) return;
  scratch_.clear();
  AppendRoles();
  format_->AppendTokens(scratch_, state, begin, UsageSoFar(state));
  Write();
}

void Answer::OnEnd(std::uint32_t index, const RequestRecord& record) {
  const auto self = shared_from_this();  // the end of the reply drops the owner
  choices_[index].ended = true;
  --unended_;
  if (record.outcome == Outcome::kError) return Break();
  ChoiceState& state = states_[index];
  state.outcome = record.outcome;
  if (!stream_) state.tokens = record.output_tokens;
  if (stream_) {
    scratch_.clear();
    AppendRoles();
    format_->AppendFinish(scratch_, state, UsageSoFar(state));
    if (unended_ > 0) return Write();
  }
  if (unended_ == 0) Finish();
}

// In a stream the last event of the last choice is already in the scratch.
void Answer::Finish() {
  if (stream_) {
    if (include_usage_) format_->AppendUsage(scratch_, usage());
    AnswerFormat::AppendDone(scratch_);
    Write();
    reply_->End();
  } else {
    std::string body = format_->Whole(states_, usage());
    response_bytes_ = body.size();
    reply_->Send({.content_type = "application/json", .headers = {}, .body = std::move(body)});
  }
  engine_.CountReply(200, request_bytes_, response_bytes_);
}

// The engine died; the other choices die with it.
void Answer::Break() {
  AbortRest();
  if (stream_) {
    // Its status is sent already, so the real server counts it as good, too.
    scratch_.clear();
    AnswerFormat::AppendError(scratch_, kDied);
    AnswerFormat::AppendDone(scratch_);
    Write();
    reply_->End();
    return engine_.CountReply(200, request_bytes_, response_bytes_);
  }
  std::string body = ErrorBody(500, kDied);
  const std::size_t bytes = body.size();
  reply_->Send(
      {.status = 500, .content_type = "application/json", .headers = {}, .body = std::move(body)});
  engine_.CountReply(500, request_bytes_, bytes);
}

void Answer::OnGone() {
  if (unended_ == 0) return;
  AbortRest();
  engine_.CountReply(200, request_bytes_, response_bytes_);
}

void Answer::AbortRest() {
  for (Choice& choice : choices_) {
    if (!std::exchange(choice.ended, true)) engine_.Abort(choice.id);
  }
  unended_ = 0;
}

// Of every choice, just before the first token of any.
void Answer::AppendRoles() {
  if (!chat_ || std::exchange(roles_sent_, true)) return;
  for (const ChoiceState& state : states_) {
    std::optional<Usage> none;
    if (continuous_usage_) none = Usage{.prompt_tokens = state.prompt_tokens};
    format_->AppendRole(scratch_, state, none);
  }
}

void Answer::Write() {
  response_bytes_ += scratch_.size();
  reply_->Write(scratch_);
}

Usage Answer::usage() const {
  Usage sum{.prompt_tokens = prompt_tokens_};
  for (const ChoiceState& state : states_) sum.completion_tokens += state.tokens;
  return sum;
}

std::optional<Usage> Answer::UsageSoFar(const ChoiceState& state) const {
  if (!continuous_usage_) return std::nullopt;
  return Usage{state.prompt_tokens, state.tokens};
}

}  // namespace firstword::simulate
