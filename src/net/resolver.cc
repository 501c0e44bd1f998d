#include "net/resolver.h"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace firstword::net {

struct ResolverPool::State {
  struct Waiting {
    std::uint16_t port;
    Callback done;
  };
  LookUp look_up;
  std::mutex mutex;
  std::condition_variable wake;
  std::deque<std::string> queue;
  // Who waits for a name that is queued or being looked up.
  std::map<std::string, std::vector<Waiting>> waiting;
  std::map<std::string, SocketAddresses> last_good;
  bool stopped = false;
  int threads = 0;
};

namespace {

constexpr int kThreads = 4;
constexpr std::size_t kMaxRemembered = 4096;

Result<SocketAddresses> Ask(const std::string& host, int flags) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags;
  addrinfo* list = nullptr;
  const int status = getaddrinfo(host.c_str(), nullptr, &hints, &list);
  if (status != 0) {
    return Fail(ErrorCode::kNotFound,
                fmt::format("host name {} does not resolve: {}", host, gai_strerror(status)),
                "check the spelling and the name server");
  }
  SocketAddresses addresses;
  for (const addrinfo* one = list; one != nullptr; one = one->ai_next) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(one->ai_addr);
    addresses.emplace_back(bytes, bytes + one->ai_addrlen);
  }
  freeaddrinfo(list);
  return addresses;
}

Result<SocketAddresses> WithPort(Result<SocketAddresses> addresses, std::uint16_t port) {
  if (!addresses) return addresses;
  const std::uint16_t network_order = htons(port);
  for (SocketAddress& address : *addresses) {
    static_assert(offsetof(sockaddr_in, sin_port) == offsetof(sockaddr_in6, sin6_port));
    std::memcpy(address.data() + offsetof(sockaddr_in, sin_port), &network_order,
                sizeof(network_order));
  }
  return addresses;
}

}  // namespace

ResolverPool::ResolverPool() : ResolverPool([](const std::string& host) { return Ask(host, 0); }) {}

ResolverPool::ResolverPool(LookUp look_up) : state_(std::make_shared<State>()) {
  state_->look_up = std::move(look_up);
}

ResolverPool::~ResolverPool() {
  const std::lock_guard lock(state_->mutex);
  state_->stopped = true;
  state_->queue.clear();
  state_->waiting.clear();
  state_->wake.notify_all();
}

void ResolverPool::Resolve(const std::string& host, std::uint16_t port, Callback done) {
  // An address needs no look-up and must not wait behind names.
  if (Result<SocketAddresses> literal = Ask(host, AI_NUMERICHOST); literal) {
    done(WithPort(std::move(literal), port));
    return;
  }
  const std::lock_guard lock(state_->mutex);
  const auto [asked, fresh] = state_->waiting.try_emplace(host);
  const auto kept = state_->last_good.find(host);
  if (!fresh && kept != state_->last_good.end()) {
    done(WithPort(kept->second, port));
    return;
  }
  asked->second.push_back({port, std::move(done)});
  if (!fresh) return;
  state_->queue.push_back(host);
  state_->wake.notify_one();
  if (state_->threads == kThreads) return;
  ++state_->threads;
  // Detached, because a thread in getaddrinfo() cannot be stopped and joining it would
  // hold up the program's end by the resolver's time-out.
  std::thread([state = state_] {
    std::unique_lock thread_lock(state->mutex);
    while (true) {
      state->wake.wait(thread_lock, [&] { return state->stopped || !state->queue.empty(); });
      if (state->stopped) return;
      const std::string name = std::move(state->queue.front());
      state->queue.pop_front();
      thread_lock.unlock();
      Result<SocketAddresses> answer = state->look_up(name);
      thread_lock.lock();
      if (state->stopped) return;
      if (answer) {
        if (state->last_good.size() >= kMaxRemembered) state->last_good.clear();
        state->last_good[name] = *answer;
      } else if (const auto good = state->last_good.find(name); good != state->last_good.end()) {
        answer = good->second;
      }
      // Under the lock, so that the loop behind `done` cannot end meanwhile; it only posts.
      auto waiting = state->waiting.extract(name);
      for (State::Waiting& one : waiting.mapped()) one.done(WithPort(answer, one.port));
    }
  }).detach();
}

}  // namespace firstword::net
