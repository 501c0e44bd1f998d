#include "simulate/live/live_fleet.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <unordered_map>
#include <utility>

#include "net/http_server.h"
#include "net/timer.h"
#include "simulate/face/openai_face.h"

namespace firstword::simulate {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

constexpr std::size_t kMaxBodyBytes = std::size_t{16} << 20;
constexpr std::size_t kMaxConnections = 20'000;

// A stream each is a socket each, and the usual soft limit is 1024.
void RaiseFileLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

std::int64_t UnixNow() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

class LiveFleet::Impl {
 public:
  Impl(net::EventLoop& loop, std::unique_ptr<Fleet> fleet, LiveOptions options)
      : loop_(loop), fleet_(std::move(fleet)), options_(std::move(options)), timer_(loop) {}

  Result<void> Open() {
    RaiseFileLimit();
    for (std::size_t i = 0; i < fleet_->replicas(); ++i) {
      if (const Result<void> opened = OpenReplica(i); !opened) return opened;
    }
    for (std::size_t i = 0; fleet_->has_gpu_page() && i < fleet_->replicas(); ++i) {
      const std::string& exporter = fleet_->scenario().gpu_exporter;
      Result<void> opened;
      if (options_.own_hosts) {
        opened = OpenPage(fleet_->status(i).name + "-gpus", exporter, HostOf(i),
                          [this, i] { return Present().GpuPage(i); });
      } else if (i == 0) {
        opened = OpenPage("gpus", exporter, HostOf(0), [this] { return Present().GpuPage(); });
      }
      if (!opened) return opened;
    }
    if (fleet_->has_gateway_page()) {
      const Result<void> opened = OpenPage("gateway", fleet_->scenario().gateway, HostOf(0),
                                           [this] { return Present().GatewayPage(); });
      if (!opened) return opened;
    }
    // Addresses are on the pages by now.
    fleet_->AdvanceTo(options_.warm_up);
    began_ = std::chrono::steady_clock::now() -
             std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                 std::chrono::duration<double>(Seconds(options_.warm_up) / options_.speed));
    return {};
  }

  // The fleet at the machine's present time, with an alarm for what comes next.
  Fleet& Present() {
    fleet_->AdvanceTo(std::max(fleet_->now(), SimNow(std::chrono::steady_clock::now())));
    Arm();
    return *fleet_;
  }

  void Arm() {
    const SimTime next = fleet_->NextEvent();
    if (next == armed_for_ && timer_.armed()) return;
    armed_for_ = next;
    if (next == kNever) {
      timer_.Cancel();
      return;
    }
    timer_.Arm(WallOf(next), [this] {
      const SteadyTime now = std::chrono::steady_clock::now();
      lag_.Add(now - WallOf(armed_for_));
      Present();
    });
  }

  net::EventLoop& loop_;
  std::unique_ptr<Fleet> fleet_;
  const LiveOptions options_;
  std::vector<Endpoint> endpoints_;
  LagMeter lag_;
  LagMeter token_lag_;
  std::vector<double>* token_lag_log_ = nullptr;

 private:
  // One replica for its face.
  class Served final : public ServedEngine {
   public:
    Served(Impl& live, std::size_t index) : live_(live), index_(index) {}

    [[nodiscard]] std::string model() const override { return Status().model; }
    [[nodiscard]] std::string engine() const override { return Status().engine; }
    [[nodiscard]] std::string version() const override { return Status().version; }
    [[nodiscard]] std::uint32_t max_model_len() const override { return Status().max_model_len; }
    [[nodiscard]] std::int64_t started_unix_s() const override {
      return static_cast<std::int64_t>(live_.fleet_->recorder(index_).facts().start_unix_s);
    }
    // As of now; a face asks this first of all.
    [[nodiscard]] bool healthy() const override {
      live_.Present();
      return Status().up;
    }
    [[nodiscard]] RequestId Submit(Request request, TokenListener* listener) override {
      // Without a move of the clock since healthy(): a crash that is due now must come after it.
      Fleet& fleet = *live_.fleet_;
      if (listener == nullptr) return fleet.Submit(index_, std::move(request), nullptr);
      auto relay = std::make_unique<Relay>(*this, *listener);
      const RequestId id = fleet.Submit(index_, std::move(request), relay.get());
      relays_.emplace(id, std::move(relay));
      live_.Arm();
      return id;
    }
    void Abort(RequestId id) override {
      if (const auto found = relays_.find(id); found != relays_.end()) Drop(found);
      live_.fleet_->Abort(index_, id);
      live_.Arm();
    }
    void CountHttp(int status, std::size_t in, std::size_t out) override {
      live_.fleet_->CountHttp(index_, status, in, out);
    }
    [[nodiscard]] std::string metrics_path() const override {
      return live_.fleet_->metrics_path(index_);
    }
    [[nodiscard]] std::string metrics_content_type() const override {
      return live_.fleet_->metrics_content_type(index_);
    }
    [[nodiscard]] std::string MetricsPage() override { return live_.Present().MetricsPage(index_); }

   private:
    // Passes tokens on and looks at the clock when that is done.
    class Relay final : public TokenListener {
     public:
      Relay(Served& served, TokenListener& to) : served_(served), to_(to) {}
      void OnTokens(std::uint32_t count) override {
        to_.OnTokens(count);
        Impl& live = served_.live_;
        const auto lag = std::chrono::steady_clock::now() - live.WallOf(live.fleet_->now());
        live.token_lag_.Add(lag);
        if (live.token_lag_log_ == nullptr) return;
        live.token_lag_log_->push_back(std::chrono::duration<double, std::micro>(lag).count());
      }
      void OnEnd(const RequestRecord& record) override {
        const auto own = served_.relays_.find(record.id);
        to_.OnEnd(record);
        served_.Drop(own);
      }

     private:
      Served& served_;
      TokenListener& to_;
    };
    using Relays = std::unordered_map<RequestId, std::unique_ptr<Relay>>;

    // Kept until the loop is here again: it may be the one that is being called.
    void Drop(Relays::iterator at) {
      live_.loop_.Post([relay = std::move(at->second)] {});
      relays_.erase(at);
    }

    [[nodiscard]] ReplicaStatus Status() const { return live_.fleet_->status(index_); }

    Impl& live_;
    const std::size_t index_;
    Relays relays_;
  };

  [[nodiscard]] SimTime SimNow(SteadyTime now) const {
    return FromSeconds(std::chrono::duration<double>(now - began_).count() * options_.speed);
  }
  [[nodiscard]] SteadyTime WallOf(SimTime t) const {
    return began_ + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                        std::chrono::duration<double>(Seconds(t) / options_.speed));
  }

  // Where replica `i` lives.
  [[nodiscard]] std::string HostOf(std::size_t i) const {
    return options_.own_hosts ? fmt::format("127.0.0.{}", i % 250 + 1) : options_.address;
  }

  [[nodiscard]] net::ListenOptions Listening(const std::string& host) const {
    net::ListenOptions listening;
    listening.address = host;
    if (options_.first_port > 0) {
      listening.port = static_cast<std::uint16_t>(options_.first_port + endpoints_.size());
    }
    listening.max_request_bytes = kMaxBodyBytes;
    listening.max_connections = kMaxConnections;
    return listening;
  }

  Result<void> OpenReplica(std::size_t i) {
    const ReplicaStatus status = fleet_->status(i);
    served_.push_back(std::make_unique<Served>(*this, i));
    const double mean_output = fleet_->scenario().traffic.empty()
                                   ? 220
                                   : fleet_->scenario().traffic[0].workload.output_tokens.mean;
    faces_.push_back(std::make_unique<OpenAiFace>(*served_.back(),
                                                  FaceOptions{.seed = fleet_->scenario().seed + i,
                                                              .mean_output_tokens = mean_output,
                                                              .unix_now_s = UnixNow}));
    net::ListenOptions listening = Listening(HostOf(i));
    listening.error_page = faces_.back()->ErrorPage();
    Result<std::unique_ptr<net::HttpServer>> server =
        net::HttpServer::Listen(loop_, std::move(listening), faces_.back()->Handler());
    return Keep(std::move(server), HostOf(i),
                {.name = status.name,
                 .url = {},
                 .metrics_url = fleet_->metrics_path(i),
                 .engine = status.engine,
                 .version = status.version,
                 .model = status.model});
  }

  Result<void> Keep(Result<std::unique_ptr<net::HttpServer>> server, const std::string& host,
                    Endpoint endpoint) {
    if (!server) return Fail(server.error(), fmt::format("listener of \"{}\"", endpoint.name));
    const std::string address = fmt::format("{}:{}", host, (*server)->port());
    if (endpoints_.size() < fleet_->replicas()) fleet_->SetAddress(endpoints_.size(), address);
    endpoint.url = "http://" + address;
    endpoint.metrics_url = endpoint.url + endpoint.metrics_url;
    endpoints_.push_back(std::move(endpoint));
    servers_.push_back(*std::move(server));
    return {};
  }

  // An exporter that serves one page and nothing else.
  Result<void> OpenPage(std::string_view name, const std::string& exporter, const std::string& host,
                        std::function<std::string()> page) {
    Result<std::unique_ptr<net::HttpServer>> server = net::HttpServer::Listen(
        loop_, Listening(host), [page = std::move(page)](const net::ServerRequest& request) {
          const std::string_view target = request.target;
          if (target.substr(0, target.find('?')) != "/metrics") {
            return net::ServerResponse{
                .status = 404, .headers = {}, .body = "not found; /metrics is here\n"};
          }
          return net::ServerResponse{.content_type = "text/plain; version=0.0.4; charset=utf-8",
                                     .headers = {},
                                     .body = page()};
        });
    const std::size_t colon = std::min(exporter.find(':'), exporter.size());
    return Keep(std::move(server), host,
                {.name = std::string(name),
                 .url = {},
                 .metrics_url = "/metrics",
                 .engine = exporter.substr(0, colon),
                 .version = {},
                 .model = {}});
  }

  net::Timer timer_;
  SimTime armed_for_ = kNever;
  SteadyTime began_;  // when time 0 was
  // Servers go first: they hold handlers of the faces, which hold the engines.
  std::vector<std::unique_ptr<Served>> served_;
  std::vector<std::unique_ptr<OpenAiFace>> faces_;
  std::vector<std::unique_ptr<net::HttpServer>> servers_;
};

LiveFleet::LiveFleet(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
LiveFleet::~LiveFleet() = default;

Result<std::unique_ptr<LiveFleet>> LiveFleet::Start(net::EventLoop& loop,
                                                    std::unique_ptr<Fleet> fleet,
                                                    LiveOptions options) {
  auto impl = std::make_unique<Impl>(loop, std::move(fleet), std::move(options));
  if (const Result<void> opened = impl->Open(); !opened) return std::unexpected(opened.error());
  impl->Arm();
  return std::unique_ptr<LiveFleet>(new LiveFleet(std::move(impl)));
}

const std::vector<Endpoint>& LiveFleet::endpoints() const { return impl_->endpoints_; }
Fleet& LiveFleet::fleet() { return impl_->Present(); }
const LagMeter& LiveFleet::lag() const { return impl_->lag_; }
void LiveFleet::SetTokenLagLog(std::vector<double>* log) { impl_->token_lag_log_ = log; }
const LagMeter& LiveFleet::token_lag() const { return impl_->token_lag_; }

}  // namespace firstword::simulate
