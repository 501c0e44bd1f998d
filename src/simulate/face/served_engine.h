#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "simulate/engine/request.h"
#include "simulate/engine/token_listener.h"

namespace firstword::simulate {

// What a network face needs of one living replica. Loop thread only.
class ServedEngine {
 public:
  virtual ~ServedEngine() = default;

  [[nodiscard]] virtual std::string model() const = 0;   // as served
  [[nodiscard]] virtual std::string engine() const = 0;  // "vllm", as in --engine
  [[nodiscard]] virtual std::string version() const = 0;
  [[nodiscard]] virtual std::uint32_t max_model_len() const = 0;
  [[nodiscard]] virtual std::int64_t started_unix_s() const = 0;
  // False: answers 503 to everything but /metrics.
  [[nodiscard]] virtual bool healthy() const = 0;

  // Takes a request in now. `listener` must live until OnEnd or Abort; null: nobody listens.
  // Others may be called from inside, never this one. From inside a listener's call any
  // request may be aborted, and its listener is not called again, also while the engine dies.
  [[nodiscard]] virtual RequestId Submit(Request request, TokenListener* listener) = 0;
  virtual void Abort(RequestId id) = 0;
  // A request that never reached the engine: its HTTP status and bytes, for the page. Those
  // that no engine counts (/metrics, /health) are left out.
  virtual void CountHttp(int status, std::size_t request_bytes, std::size_t response_bytes) = 0;
  // The reply to what Submit() took in is over, or its client went away: one reply for all the
  // engine requests that one HTTP request made. Their records count as requests already, so
  // this only adds what they cannot know. A stream is 200 however it ends.
  virtual void CountReply(int /*status*/, std::size_t /*request_bytes*/,
                          std::size_t /*response_bytes*/) {}

  [[nodiscard]] virtual std::string metrics_path() const = 0;  // "/metrics"
  [[nodiscard]] virtual std::string metrics_content_type() const = 0;
  [[nodiscard]] virtual std::string MetricsPage() = 0;
};

}  // namespace firstword::simulate
