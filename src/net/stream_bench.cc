// CPU of one streamed event of 200 bytes, on one of 400 open streams over loopback. The bare
// send() of the same bytes on the same kind of sockets is the floor: what the kernel takes.

#include <arpa/inet.h>
#include <benchmark/benchmark.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "net/event_loop.h"
#include "net/http_server.h"

namespace firstword::net {
namespace {

constexpr std::size_t kStreams = 400;
constexpr std::size_t kEventBytes = 200;
constexpr std::string_view kAsk = "GET /s HTTP/1.1\r\nHost: h\r\n\r\n";

double ThreadCpuSeconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

int Connect(std::uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  CHECK(::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0);
  return fd;
}

void Drain(const std::vector<int>& fds) {
  static char scratch[1u << 16];
  for (const int fd : fds) {
    while (::recv(fd, scratch, sizeof(scratch), MSG_DONTWAIT) > 0) {
    }
  }
}

// Counts only the CPU of `write_all`, one event on each stream; the readers' part is not ours.
template <typename WriteAll>
void Measure(benchmark::State& state, const std::vector<int>& clients, WriteAll write_all) {
  double seconds = 0;
  for (auto _ : state) {
    const double start = ThreadCpuSeconds();
    write_all();
    const double took = ThreadCpuSeconds() - start;
    seconds += took;
    state.SetIterationTime(took);
    Drain(clients);
  }
  const double events = static_cast<double>(state.iterations()) * kStreams;
  state.counters["ns_per_event"] = seconds / events * 1e9;
}

void BM_BareSend(benchmark::State& state) {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  CHECK(::bind(listener, reinterpret_cast<sockaddr*>(&address), size) == 0);
  ::listen(listener, kStreams);
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  std::vector<int> clients;
  std::vector<int> servers;
  for (std::size_t i = 0; i < kStreams; ++i) {
    clients.push_back(Connect(ntohs(address.sin_port)));
    servers.push_back(::accept(listener, nullptr, nullptr));
    const int on = 1;
    ::setsockopt(servers.back(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  }
  const std::string chunk = "c8\r\n" + std::string(kEventBytes, 'x') + "\r\n";
  Measure(state, clients, [&] {
    for (const int fd : servers) {
      benchmark::DoNotOptimize(::send(fd, chunk.data(), chunk.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
    }
  });
  for (const int fd : clients) ::close(fd);
  for (const int fd : servers) ::close(fd);
  ::close(listener);
}
BENCHMARK(BM_BareSend)->UseManualTime();

// The streams of a server, with one turn of its loop a round as in earnest.
void BM_ReplyWrite(benchmark::State& state) {
  EventLoop loop;
  std::vector<std::shared_ptr<Reply>> replies;
  const auto server =
      HttpServer::Listen(loop, {}, [&](const ServerRequest&, std::shared_ptr<Reply> reply) {
        reply->Begin(200, "text/event-stream");
        replies.push_back(std::move(reply));
        if (replies.size() == kStreams) loop.Stop();
      });
  std::vector<int> clients;
  for (std::size_t i = 0; i < kStreams; ++i) {
    clients.push_back(Connect((*server)->port()));
    ::send(clients.back(), kAsk.data(), kAsk.size(), MSG_NOSIGNAL);
  }
  loop.Run();
  const std::string event(kEventBytes, 'x');
  Measure(state, clients, [&] {
    loop.Post([&] {
      for (const auto& reply : replies) reply->Write(event);
      loop.Stop();
    });
    loop.Run();
  });
  for (const int fd : clients) ::close(fd);
}
BENCHMARK(BM_ReplyWrite)->UseManualTime();

}  // namespace
}  // namespace firstword::net

BENCHMARK_MAIN();
