#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "simulate/face/served_engine.h"

namespace firstword::simulate {

// An engine for tests that does what it is told.
class FakeEngine final : public ServedEngine {
 public:
  struct Work {
    RequestId id = 0;
    Request request;
    TokenListener* listener = nullptr;  // null: ended or aborted
    std::uint32_t said = 0;

    [[nodiscard]] std::uint32_t target() const {
      return std::min(request.output_tokens, request.max_tokens);
    }
  };
  struct Counted {
    int status = 0;
    std::size_t request_bytes = 0;
    std::size_t response_bytes = 0;
  };

  [[nodiscard]] std::string model() const override { return "toy/model"; }
  [[nodiscard]] std::string engine() const override { return "vllm"; }
  [[nodiscard]] std::string version() const override { return "0.30.0"; }
  [[nodiscard]] std::uint32_t max_model_len() const override { return 1024; }
  [[nodiscard]] std::int64_t started_unix_s() const override { return 1'600'000'000; }
  [[nodiscard]] bool healthy() const override { return is_healthy; }

  [[nodiscard]] RequestId Submit(Request request, TokenListener* listener) override {
    if (before_submit) before_submit();
    work.push_back({++last_id, std::move(request), listener});
    return last_id;
  }
  void Abort(RequestId id) override {
    const auto found = std::ranges::find(work, id, &Work::id);
    if (found != work.end()) found->listener = nullptr;
    aborted.push_back(id);
  }
  void CountHttp(int status, std::size_t request_bytes, std::size_t response_bytes) override {
    counted.push_back({status, request_bytes, response_bytes});
  }
  void CountReply(int status, std::size_t request_bytes, std::size_t response_bytes) override {
    replied.push_back({status, request_bytes, response_bytes});
  }
  [[nodiscard]] std::string metrics_path() const override { return "/metrics"; }
  [[nodiscard]] std::string metrics_content_type() const override {
    return "text/plain; version=0.0.4";
  }
  [[nodiscard]] std::string MetricsPage() override { return "toy 1\n"; }

  // Says tokens of request `index`, by order of submission.
  void Say(std::size_t index, std::uint32_t count = 1) {
    work[index].said += count;
    work[index].listener->OnTokens(count);
  }
  void End(std::size_t index, Outcome outcome) {
    RequestRecord record;
    record.id = work[index].id;
    record.outcome = outcome;
    record.output_tokens = work[index].said;
    std::exchange(work[index].listener, nullptr)->OnEnd(record);
  }
  // Says the rest of request `index` one by one and ends it, as an engine would.
  void Finish(std::size_t index) {
    while (work[index].said < work[index].target()) Say(index);
    const Request& request = work[index].request;
    End(index, request.output_tokens <= request.max_tokens ? Outcome::kStop : Outcome::kLength);
  }
  void FinishAll() {
    for (std::size_t i = 0; i < work.size(); ++i) {
      if (work[i].listener != nullptr) Finish(i);
    }
  }

  bool is_healthy = true;
  std::function<void()> before_submit;
  RequestId last_id = 0;
  std::deque<Work> work;
  std::vector<RequestId> aborted;
  std::vector<Counted> counted;
  std::vector<Counted> replied;
};

}  // namespace firstword::simulate
