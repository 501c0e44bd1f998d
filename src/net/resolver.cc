#include "net/resolver.h"

#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>

#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace firstword::net {

struct ResolverPool::State {
  struct Job {
    std::string host;
    std::uint16_t port;
    Callback done;
  };
  std::mutex mutex;
  std::condition_variable wake;
  std::deque<Job> jobs;
  std::map<std::string, std::vector<SocketAddress>> last_good;
  bool stopped = false;
  int threads = 0;
};

namespace {

constexpr int kThreads = 4;
constexpr std::size_t kMaxRemembered = 4096;

Result<std::vector<SocketAddress>> LookUp(const std::string& host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_ADDRCONFIG;
  addrinfo* list = nullptr;
  const std::string service = std::to_string(port);
  int status = getaddrinfo(host.c_str(), service.c_str(), &hints, &list);
  if (status == EAI_NONAME || status == EAI_ADDRFAMILY) {
    // AI_ADDRCONFIG hides ::1 on a machine without a routed IPv6 address.
    hints.ai_flags = 0;
    status = getaddrinfo(host.c_str(), service.c_str(), &hints, &list);
  }
  if (status != 0) {
    return Fail(ErrorCode::kNotFound,
                fmt::format("host name {} does not resolve: {}", host, gai_strerror(status)),
                "check the spelling and the name server");
  }
  std::vector<SocketAddress> addresses;
  for (const addrinfo* one = list; one != nullptr; one = one->ai_next) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(one->ai_addr);
    addresses.push_back({{bytes, bytes + one->ai_addrlen}, one->ai_family});
  }
  freeaddrinfo(list);
  return addresses;
}

}  // namespace

ResolverPool::ResolverPool() : state_(std::make_shared<State>()) {}

ResolverPool::~ResolverPool() {
  const std::lock_guard lock(state_->mutex);
  state_->stopped = true;
  state_->jobs.clear();
  state_->wake.notify_all();
}

void ResolverPool::Resolve(std::string host, std::uint16_t port, Callback done) {
  const std::lock_guard lock(state_->mutex);
  state_->jobs.push_back({std::move(host), port, std::move(done)});
  state_->wake.notify_one();
  if (state_->threads == kThreads) return;
  ++state_->threads;
  // Detached, because a thread in getaddrinfo() cannot be stopped and joining it would
  // hold up the program's end by the resolver's time-out.
  std::thread([state = state_] {
    std::unique_lock thread_lock(state->mutex);
    while (true) {
      state->wake.wait(thread_lock, [&] { return state->stopped || !state->jobs.empty(); });
      if (state->stopped) return;
      State::Job job = std::move(state->jobs.front());
      state->jobs.pop_front();
      thread_lock.unlock();
      Result<std::vector<SocketAddress>> answer = LookUp(job.host, job.port);
      thread_lock.lock();
      if (state->stopped) return;
      const std::string key = fmt::format("{}:{}", job.host, job.port);
      if (answer) {
        if (state->last_good.size() >= kMaxRemembered) state->last_good.clear();
        state->last_good[key] = *answer;
      } else if (const auto kept = state->last_good.find(key); kept != state->last_good.end()) {
        answer = kept->second;
      }
      // Under the lock, so that the loop behind `done` cannot end meanwhile; it only posts.
      job.done(std::move(answer));
    }
  }).detach();
}

}  // namespace firstword::net
