#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "net/http_server.h"
#include "simulate/face/served_engine.h"

namespace firstword::simulate {

struct FaceOptions {
  // Lengths of answers that no request fixes: log-normal.
  std::uint64_t seed = 1;
  double mean_output_tokens = 220;
  double output_log_sigma = 0.7;
  // Seconds since 1970, for "created"; empty: the system's clock.
  std::function<std::int64_t()> unix_now_s;
};

// One replica as its clients see it: the OpenAI API of vLLM's server with chat completions,
// completions, models, tokenize, and its pages for monitors. What an answer says is made up;
// how many tokens it has, when they come and what the cache holds is the engine's.
//
// How long an answer would be by itself is drawn, unless the request fixes it: with the header
// `x-simulate-output-tokens: N`, or with `ignore_eos` and `max_tokens`.
class OpenAiFace {
 public:
  // The engine and the face outlive every server that has their handler. A server's end takes
  // the requests of its clients out of the engine.
  OpenAiFace(ServedEngine& engine, FaceOptions options);
  ~OpenAiFace();
  OpenAiFace(const OpenAiFace&) = delete;
  OpenAiFace& operator=(const OpenAiFace&) = delete;

  [[nodiscard]] net::HttpServer::AsyncHandler Handler();
  // For ListenOptions::error_page: what the server says on its own, in the API's words.
  [[nodiscard]] std::function<net::ServerResponse(int, std::string_view)> ErrorPage();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace firstword::simulate
