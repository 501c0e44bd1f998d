// CPU of one event of a streamed chat answer, on one of 400 open streams over loopback: from
// the engine's news of a token to the kernel. BM_ReplyWrite writes as many ready bytes to the
// same streams, so the difference is what this folder takes. BM_Event is the text alone,
// BM_ParseChat a request of 4 KiB.

#include <arpa/inet.h>
#include <benchmark/benchmark.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "simulate/face/answer_format.h"
#include "simulate/face/fake_engine.h"
#include "simulate/face/openai_face.h"
#include "simulate/face/openai_request.h"

namespace firstword::simulate {
namespace {

constexpr std::size_t kStreams = 400;
constexpr std::string_view kBody =
    R"({"model":"toy/model","stream":true,"messages":[{"role":"user","content":"Hi"}]})";

double ThreadCpuSeconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

int Ask(std::uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address));
  const std::string request =
      "POST /v1/chat/completions HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
      "Content-Length: " +
      std::to_string(kBody.size()) + "\r\n\r\n" + std::string(kBody);
  ::send(fd, request.data(), request.size(), MSG_NOSIGNAL);
  return fd;
}

void Drain(const std::vector<int>& fds) {
  static char scratch[1u << 16];
  for (const int fd : fds) {
    while (::recv(fd, scratch, sizeof(scratch), MSG_DONTWAIT) > 0) {
    }
  }
}

// One event on each of many streams, in one turn of the loop as in earnest; only the CPU of
// `round` counts, the readers' part is not ours.
template <typename Round>
void Measure(benchmark::State& state, net::EventLoop& loop, const std::vector<int>& clients,
             Round round) {
  double seconds = 0;
  for (auto _ : state) {
    const double start = ThreadCpuSeconds();
    loop.Post([&] {
      round();
      loop.Stop();
    });
    loop.Run();
    const double took = ThreadCpuSeconds() - start;
    seconds += took;
    state.SetIterationTime(took);
    Drain(clients);
  }
  const double events = static_cast<double>(state.iterations()) * kStreams;
  state.counters["ns_per_event"] = seconds / events * 1e9;
  for (const int fd : clients) ::close(fd);
}

void BM_FaceEvent(benchmark::State& state) {
  net::EventLoop loop;
  FakeEngine engine;
  OpenAiFace face(engine, {});
  const auto server = net::HttpServer::Listen(loop, {}, face.Handler());
  std::vector<int> clients;
  for (std::size_t i = 0; i < kStreams; ++i) clients.push_back(Ask((*server)->port()));
  while (engine.work.size() < kStreams) loop.RunFor(std::chrono::milliseconds(1));
  for (std::size_t i = 0; i < kStreams; ++i) engine.Say(i);  // the roles
  Drain(clients);
  Measure(state, loop, clients, [&] {
    for (std::size_t i = 0; i < kStreams; ++i) engine.Say(i);
  });
}
BENCHMARK(BM_FaceEvent)->UseManualTime();

AnswerFormat ChatFormat() {
  return {true, "chatcmpl-0123456789abcdef0123456789abcdef", 1'700'000'000, "toy/model"};
}

void BM_ReplyWrite(benchmark::State& state) {
  net::EventLoop loop;
  std::vector<std::shared_ptr<net::Reply>> replies;
  const auto server = net::HttpServer::Listen(
      loop, {}, [&](const net::ServerRequest&, std::shared_ptr<net::Reply> reply) {
        reply->Begin(200, "text/event-stream");
        replies.push_back(std::move(reply));
      });
  std::vector<int> clients;
  for (std::size_t i = 0; i < kStreams; ++i) clients.push_back(Ask((*server)->port()));
  while (replies.size() < kStreams) loop.RunFor(std::chrono::milliseconds(1));
  std::string event;
  ChatFormat().AppendTokens(event, {.seed = 1, .tokens = 2}, 1, {});
  Measure(state, loop, clients, [&] {
    for (const auto& reply : replies) reply->Write(event);
  });
}
BENCHMARK(BM_ReplyWrite)->UseManualTime();

void BM_Event(benchmark::State& state) {
  const AnswerFormat format = ChatFormat();
  std::string out;
  ChoiceState choice{.seed = 1};
  for (auto _ : state) {
    out.clear();
    ++choice.tokens;
    format.AppendTokens(out, choice, choice.tokens - 1, {});
    benchmark::DoNotOptimize(out.data());
  }
}
BENCHMARK(BM_Event);

void BM_ParseChat(benchmark::State& state) {
  const ServedModel served{.name = "m", .max_model_len = 100'000};
  const std::string body = R"({"model":"m","stream":true,"messages":[{"role":"user","content":")" +
                           std::string(4096, 'x') + R"("}]})";
  for (auto _ : state) benchmark::DoNotOptimize(ParseChatRequest(body, served));
}
BENCHMARK(BM_ParseChat);

}  // namespace
}  // namespace firstword::simulate

BENCHMARK_MAIN();
