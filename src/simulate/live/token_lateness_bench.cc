// How late tokens are on their sockets, and what they cost: eight replicas with fifty streams
// each over loopback, against a bare loop that sends as many bytes as often. Rounds of both
// alternate; the median of five is what counts.
//
//   token_lateness_bench [SECONDS A ROUND]

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

#include "simulate/fleet/test_scenario.h"
#include "simulate/live/live_fleet.h"

namespace firstword::simulate {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kReplicas = 8;
constexpr std::size_t kStreams = 50;
constexpr std::size_t kEventBytes = 220;
constexpr int kRounds = 5;

double ThreadCpuSeconds() {
  timespec spent{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
  return static_cast<double>(spent.tv_sec) + static_cast<double>(spent.tv_nsec) * 1e-9;
}

// Reads and forgets everything that comes in on its sockets.
class Drain {
 public:
  Drain() : epoll_(epoll_create1(0)), thread_([this] { Run(); }) {}
  ~Drain() {
    stop_ = true;
    thread_.join();
    for (const int socket : sockets_) close(socket);
    close(epoll_);
  }
  void Add(int socket) {
    epoll_event event{.events = EPOLLIN, .data = {.fd = socket}};
    epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event);
    sockets_.push_back(socket);
  }

 private:
  void Run() {
    std::array<epoll_event, 64> events;
    std::array<char, 65536> bytes;
    while (!stop_) {
      const int ready = epoll_wait(epoll_, events.data(), events.size(), 50);
      for (int i = 0; i < ready; ++i) {
        if (recv(events[static_cast<std::size_t>(i)].data.fd, bytes.data(), bytes.size(), 0) <= 0) {
          epoll_ctl(epoll_, EPOLL_CTL_DEL, events[static_cast<std::size_t>(i)].data.fd, nullptr);
        }
      }
    }
  }

  int epoll_;
  std::vector<int> sockets_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

int Connect(std::uint16_t port) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0) std::abort();
  return fd;
}

struct Round {
  double p50_us = 0, p99_us = 0, cpu_us = 0, events_per_s = 0;
};

Round Summarise(std::vector<double>& late_us, double cpu_s, double seconds) {
  std::ranges::sort(late_us);
  const auto count = static_cast<double>(late_us.size());
  return {.p50_us = late_us[late_us.size() / 2],
          .p99_us = late_us[late_us.size() * 99 / 100],
          .cpu_us = cpu_s * 1e6 / count,
          .events_per_s = count / seconds};
}

Scenario Seventies() {
  Scenario scenario = ChatScenario(kReplicas, 0);
  EngineConfig& config = scenario.nodes[0].config;
  config.model.parameters = config.model.active_parameters = 69e9;
  config.model.layers = 80;
  config.model.heads = 64;
  config.model.hidden = 8192;
  config.tensor_parallel = 4;
  config.gpu.link_bytes_per_s = 450e9;
  return scenario;
}

// Streams of a living fleet; the step time it settles at is what the bare loop copies.
Round Simulated(double seconds, std::chrono::nanoseconds& step) {
  net::EventLoop loop;
  auto live = LiveFleet::Start(loop, MakeFleet(Seventies(), {.traffic = false}), {});
  if (!live) std::abort();
  Drain drain;
  for (std::size_t r = 0; r < kReplicas; ++r) {
    const std::string url = (*live)->endpoints()[r].url;
    const auto port = static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
    for (std::size_t i = 0; i < kStreams; ++i) {
      const std::string body = fmt::format(
          R"({{"model":"test-8b","messages":[{{"role":"user","content":"number {} of {}"}}],"stream":true,"ignore_eos":true,"max_tokens":20000}})",
          i, r);
      const std::string request = fmt::format(
          "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Type: "
          "application/json\r\nContent-Length: {}\r\n\r\n{}",
          body.size(), body);
      const int fd = Connect(port);
      if (send(fd, request.data(), request.size(), 0) < 0) std::abort();
      drain.Add(fd);
      loop.RunFor(std::chrono::milliseconds(1));
    }
  }
  loop.RunFor(std::chrono::seconds(1));
  const std::uint64_t before = (*live)->token_lag().count();
  std::vector<double> late;
  (*live)->SetTokenLagLog(&late);
  const double cpu = ThreadCpuSeconds();
  loop.RunFor(std::chrono::milliseconds(static_cast<int>(seconds * 1000)));
  const double spent = ThreadCpuSeconds() - cpu;
  (*live)->SetTokenLagLog(nullptr);
  const double events = static_cast<double>((*live)->token_lag().count() - before);
  step = std::chrono::nanoseconds(
      static_cast<std::int64_t>(seconds * 1e9 * kReplicas * kStreams / events));
  return Summarise(late, spent, seconds);
}

// The same bytes at the same times by nothing but a sleep and sends.
Round Bare(double seconds, std::chrono::nanoseconds step) {
  Drain drain;
  std::vector<std::vector<int>> groups(kReplicas);
  std::vector<int> all;
  for (auto& group : groups) {
    for (std::size_t i = 0; i < kStreams; ++i) {
      const int listener = socket(AF_INET, SOCK_STREAM, 0);
      sockaddr_in at{};
      at.sin_family = AF_INET;
      at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      socklen_t size = sizeof at;
      if (bind(listener, reinterpret_cast<sockaddr*>(&at), size) != 0) std::abort();
      listen(listener, 1);
      getsockname(listener, reinterpret_cast<sockaddr*>(&at), &size);
      drain.Add(Connect(ntohs(at.sin_port)));
      const int fd = accept(listener, nullptr, nullptr);
      const int on = 1;
      setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      close(listener);
      group.push_back(fd);
      all.push_back(fd);
    }
  }
  const std::string event(kEventBytes, 'x');
  std::vector<double> late;
  std::vector<Clock::time_point> due;
  const Clock::time_point began = Clock::now() + std::chrono::milliseconds(10);
  for (std::size_t r = 0; r < kReplicas; ++r) due.push_back(began + step * r / kReplicas);
  const Clock::time_point end =
      began + std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9));
  const double cpu = ThreadCpuSeconds();
  while (true) {
    const auto next = std::ranges::min_element(due);
    if (*next >= end) break;
    std::this_thread::sleep_until(*next);
    for (const int fd : groups[static_cast<std::size_t>(next - due.begin())]) {
      if (send(fd, event.data(), event.size(), MSG_NOSIGNAL) < 0) std::abort();
      late.push_back(std::chrono::duration<double, std::micro>(Clock::now() - *next).count());
    }
    *next += step;
  }
  const double spent = ThreadCpuSeconds() - cpu;
  for (const int fd : all) close(fd);
  return Summarise(late, spent, seconds);
}

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void Run(double seconds) {
  std::vector<double> simulated_p99, bare_p99, difference, simulated_cpu, bare_cpu;
  fmt::print("round      who   events/s   p50 late   p99 late   CPU an event\n");
  for (int round = 1; round <= kRounds; ++round) {
    std::chrono::nanoseconds step{};
    const Round simulated = Simulated(seconds, step);
    const Round bare = Bare(seconds, step);
    for (const auto& [name, one] : {std::pair("simulator", simulated), std::pair("bare", bare)}) {
      fmt::print("{:5} {:>9} {:9.0f} {:7.0f} µs {:7.0f} µs {:9.2f} µs\n", round, name,
                 one.events_per_s, one.p50_us, one.p99_us, one.cpu_us);
    }
    simulated_p99.push_back(simulated.p99_us);
    bare_p99.push_back(bare.p99_us);
    difference.push_back(simulated.p99_us - bare.p99_us);
    simulated_cpu.push_back(simulated.cpu_us);
    bare_cpu.push_back(bare.cpu_us);
  }
  fmt::print(
      "medians: p99 {:.0f} µs against {:.0f} µs bare, {:.0f} µs apart; CPU {:.2f} µs an event "
      "against {:.2f} µs\n",
      Median(simulated_p99), Median(bare_p99), Median(difference), Median(simulated_cpu),
      Median(bare_cpu));
}

}  // namespace
}  // namespace firstword::simulate

int main(int argc, char** argv) {
  firstword::simulate::Run(argc > 1 ? std::atof(argv[1]) : 4);
  return 0;
}
