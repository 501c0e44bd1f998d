#include "simulate/face/openai_face.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include "simulate/face/answer.h"
#include "simulate/face/error_body.h"
#include "simulate/face/fixed_pages.h"
#include "simulate/face/http_header.h"
#include "simulate/face/openai_request.h"

namespace firstword::simulate {
namespace {

using ReplyPtr = std::shared_ptr<net::Reply>;

constexpr std::string_view kOutputHeader = "x-simulate-output-tokens";
constexpr std::string_view kDown = "the engine is down (try again once GET /health answers 200)";
constexpr std::uint32_t kWithoutEnd = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kMostOutput = 1'000'000'000;

std::int64_t SystemNow() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// The number in the header, nothing without one.
Result<std::optional<std::uint32_t>> FixedOutput(const net::ServerRequest& request) {
  const auto header = FindHeader(request, kOutputHeader);
  if (!header) return std::nullopt;
  std::uint32_t tokens = 0;
  const char* const end = header->data() + header->size();
  const auto [stop, error] = std::from_chars(header->data(), end, tokens);
  if (error == std::errc() && stop == end && tokens >= 1 && tokens <= kMostOutput) return tokens;
  return Fail(ErrorCode::kInvalid,
              fmt::format("the header {} must be a whole number from 1 to {}, and is \"{}\"",
                          kOutputHeader, kMostOutput, header->substr(0, 40)));
}

}  // namespace

class OpenAiFace::Impl {
 public:
  Impl(ServedEngine& engine, FaceOptions options)
      : engine_(engine), options_(std::move(options)), random_(options_.seed) {
    if (!options_.unix_now_s) options_.unix_now_s = SystemNow;
    const double sigma = options_.output_log_sigma;
    length_ = std::lognormal_distribution<double>(
        std::log(std::max(1.0, options_.mean_output_tokens)) - sigma * sigma / 2, sigma);
  }

  void Handle(const net::ServerRequest& request, const ReplyPtr& reply) {
    const std::string_view path =
        std::string_view(request.target).substr(0, request.target.find('?'));
    if (path == engine_.metrics_path()) return Metrics(request, *reply);
    const Route* const route = std::ranges::find(kRoutes, path, &Route::path);
    const bool known = route != kRoutes.end();
    const bool counted = !known || route->counted;
    if (!engine_.healthy()) {
      return Send(request, *reply, counted,
                  known && !counted ? EmptyPage(503) : ApiErrorPage(503, kDown));
    }
    if (!known) return Send(request, *reply, counted, DetailPage(404, "Not Found"));
    if (request.method != route->method && request.method != route->other_method) {
      return Send(request, *reply, counted, WrongMethodPage(route->method));
    }
    (this->*route->handle)(request, reply);
  }

  net::ServerResponse ServerError(int status, std::string_view reason) {
    net::ServerResponse page = ApiErrorPage(status, ServerErrorMessage(status, reason));
    engine_.CountHttp(status, 0, page.body.size());
    return page;
  }

 private:
  struct Route {
    std::string_view path;
    std::string_view method;
    std::string_view other_method;
    bool counted;  // in the page's HTTP metrics; the real server leaves the others out
    void (Impl::*handle)(const net::ServerRequest&, const ReplyPtr&);
  };
  static const std::array<Route, 7> kRoutes;

  void Send(const net::ServerRequest& request, net::Reply& reply, bool counted,
            const net::ServerResponse& response) {
    if (counted) {
      engine_.CountHttp(response.status, request.body.size(), response.body.size());
    }
    reply.Send(response);
  }

  void Metrics(const net::ServerRequest& request, net::Reply& reply) {
    if (request.method != "GET") return reply.Send(WrongMethodPage("GET"));
    reply.Send({.content_type = engine_.metrics_content_type(),
                .headers = {},
                .body = engine_.MetricsPage()});
  }

  void Chat(const net::ServerRequest& request, const ReplyPtr& reply) {
    Complete(request, reply, ParseChatRequest);
  }

  void Completions(const net::ServerRequest& request, const ReplyPtr& reply) {
    Complete(request, reply, ParseCompletionRequest);
  }

  template <typename Parse>
  void Complete(const net::ServerRequest& request, const ReplyPtr& reply, Parse parse) {
    Result<AnswerOrder> order = OrderFor(request, parse);
    if (!order) return Refuse(request, *reply, order.error());
    Answer::Start(engine_, scratch_, *std::move(order), reply);
  }

  template <typename Parse>
  Result<AnswerOrder> OrderFor(const net::ServerRequest& request, Parse parse) {
    if (const auto json = CheckContentType(request); !json) return std::unexpected(json.error());
    const auto fixed = FixedOutput(request);
    if (!fixed) return std::unexpected(fixed.error());
    auto parsed = parse(request.body, Served());
    if (!parsed) return std::unexpected(parsed.error());
    AnswerOrder order{.request = *std::move(parsed),
                      .request_bytes = request.body.size(),
                      .created_unix_s = options_.unix_now_s(),
                      .output_tokens = {},
                      .output_texts = {}};
    const std::size_t choices = order.request.prompts.size() * order.request.n;
    for (std::size_t i = 0; i < choices; ++i) {
      order.output_tokens.push_back(OutputTokens(order.request, *fixed));
      order.output_texts.push_back(random_());
    }
    return order;
  }

  std::uint32_t OutputTokens(const OpenAiRequest& request, std::optional<std::uint32_t> fixed) {
    if (fixed) return *fixed;
    if (request.ignore_eos) return kWithoutEnd;
    const double drawn = std::min(length_(random_), static_cast<double>(kMostOutput));
    return std::max({1u, request.min_tokens, static_cast<std::uint32_t>(std::lround(drawn))});
  }

  void Tokenize(const net::ServerRequest& request, const ReplyPtr& reply) {
    if (const auto json = CheckContentType(request); !json) {
      return Refuse(request, *reply, json.error());
    }
    const auto tokens = ParseTokenizeRequest(request.body, Served());
    if (!tokens) return Refuse(request, *reply, tokens.error());
    Send(request, *reply, true, TokensPage(tokens->tokens, engine_.max_model_len()));
  }

  void Models(const net::ServerRequest& request, const ReplyPtr& reply) {
    Send(request, *reply, true, ModelsPage(engine_));
  }
  void Health(const net::ServerRequest& request, const ReplyPtr& reply) {
    Send(request, *reply, false, EmptyPage(200));
  }
  void Version(const net::ServerRequest& request, const ReplyPtr& reply) {
    Send(request, *reply, false, VersionPage(engine_.version()));
  }

  void Refuse(const net::ServerRequest& request, net::Reply& reply, const Error& error) {
    Send(request, reply, true, ApiErrorPage(StatusOf(error), error.ToString()));
  }

  [[nodiscard]] ServedModel Served() const { return {engine_.model(), engine_.max_model_len()}; }

  ServedEngine& engine_;
  FaceOptions options_;
  std::mt19937_64 random_;
  std::lognormal_distribution<double> length_;
  std::string scratch_;  // an event is written here, whoever's it is
};

constexpr std::array<OpenAiFace::Impl::Route, 7> OpenAiFace::Impl::kRoutes{{
    {"/v1/chat/completions", "POST", "POST", true, &Impl::Chat},
    {"/v1/completions", "POST", "POST", true, &Impl::Completions},
    {"/v1/models", "GET", "GET", true, &Impl::Models},
    {"/tokenize", "POST", "POST", true, &Impl::Tokenize},
    {"/health", "GET", "GET", false, &Impl::Health},
    {"/ping", "GET", "POST", false, &Impl::Health},
    {"/version", "GET", "GET", false, &Impl::Version},
}};

OpenAiFace::OpenAiFace(ServedEngine& engine, FaceOptions options)
    : impl_(std::make_unique<Impl>(engine, std::move(options))) {}
OpenAiFace::~OpenAiFace() = default;

net::HttpServer::AsyncHandler OpenAiFace::Handler() {
  return [impl = impl_.get()](const net::ServerRequest& request, const ReplyPtr& reply) {
    impl->Handle(request, reply);
  };
}

std::function<net::ServerResponse(int, std::string_view)> OpenAiFace::ErrorPage() {
  return [impl = impl_.get()](int status, std::string_view reason) {
    return impl->ServerError(status, reason);
  };
}

}  // namespace firstword::simulate
