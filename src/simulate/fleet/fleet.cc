#include "simulate/fleet/fleet.h"

#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <utility>

#include "base/check.h"
#include "simulate/fleet/gateway.h"
#include "simulate/fleet/node.h"
#include "simulate/pages/page_writer.h"

namespace firstword::simulate {
namespace {

// The users of one traffic and how their requests find a replica.
struct Users {
  TrafficSpec spec;
  std::unique_ptr<Traffic> traffic;
  std::vector<std::size_t> nodes;
  std::size_t next = 0;
  double skewed = 0;
};

struct Alarm {
  SimTime at{};
  std::uint64_t order = 0;
  std::size_t index = 0;  // of a node (leaving), or of a traffic (delayed)
  RequestId id = 0;
  Arrival arrival;
  friend bool operator>(const Alarm& a, const Alarm& b) {
    return a.at != b.at ? a.at > b.at : a.order > b.order;
  }
};
using Alarms = std::priority_queue<Alarm, std::vector<Alarm>, std::greater<>>;

class LivingFleet final : public Fleet {
 public:
  LivingFleet(Scenario scenario, FleetOptions options)
      : scenario_(std::move(scenario)), options_(std::move(options)) {}

  Result<void> Populate(const dialect::ExportCatalog& catalog) {
    std::uint32_t gpus = 0;
    for (const NodeSpec& spec : scenario_.nodes) {
      const Result<dialect::ExportChoice> page = catalog.Choose(
          spec.version.empty() ? spec.engine : fmt::format("{}:{}", spec.engine, spec.version));
      if (!page) return Fail(page.error(), fmt::format("node \"{}\"", spec.name));
      for (std::uint32_t i = 0; i < spec.replicas; ++i) {
        Node::Place place{
            .name = spec.replicas > 1 ? fmt::format("{}-{}", spec.name, i) : spec.name,
            .number = static_cast<std::uint32_t>(nodes_.size()),
            .first_gpu = gpus,
            .host_prefix = options_.host,
            .start_unix_s = options_.start_unix_s,
            .gpu_interval_s = scenario_.gpu_interval_s,
            .seed = scenario_.seed * 7919 + nodes_.size()};
        nodes_.push_back(std::make_unique<Node>(
            spec, std::move(place), *page,
            [this, i = nodes_.size()](const Origin& origin, const RequestRecord& record,
                                      SimTime now) { OnAnswered(i, origin, record, now); }));
        gpus += nodes_.back()->status().gpus;
      }
    }
    if (!scenario_.gpu_exporter.empty()) {
      const Result<dialect::ExportChoice> page = catalog.Choose(scenario_.gpu_exporter);
      if (!page) return Fail(page.error(), "gpu_exporter");
      gpu_page_ = dialect::Resolve(*page->page, page->version, {});
    }
    if (!scenario_.gateway.empty()) {
      const Result<dialect::ExportChoice> page = catalog.Choose(scenario_.gateway);
      if (!page) return Fail(page.error(), "gateway");
      gateway_page_ = dialect::Resolve(*page->page, page->version, {});
      gateway_ = std::make_unique<Gateway>(gateway_page_, nodes_.size());
    }
    for (const TrafficSpec& spec : scenario_.traffic) AddUsers(spec);
    return {};
  }

  [[nodiscard]] SimTime now() const override { return now_; }

  [[nodiscard]] SimTime NextEvent() const override {
    SimTime next =
        next_event_ < scenario_.events.size() ? scenario_.events[next_event_].at : kNever;
    for (const Users& users : users_) next = std::min(next, users.traffic->NextArrival());
    for (const auto& node : nodes_) next = std::min(next, node->NextEvent());
    if (!delayed_.empty()) next = std::min(next, delayed_.top().at);
    if (!leaving_.empty()) next = std::min(next, leaving_.top().at);
    return next == kNever ? next : std::max(next, now_);
  }

  void AdvanceTo(SimTime now) override {
    CHECK(now >= now_);
    for (SimTime next = NextEvent(); next <= now && next != kNever; next = NextEvent()) Live(next);
    now_ = now;
  }

  [[nodiscard]] const Scenario& scenario() const override { return scenario_; }
  [[nodiscard]] std::size_t replicas() const override { return nodes_.size(); }
  [[nodiscard]] ReplicaStatus status(std::size_t i) const override { return nodes_[i]->status(); }
  [[nodiscard]] const Recorder& recorder(std::size_t i) const override {
    return nodes_[i]->recorder();
  }
  [[nodiscard]] SchedulerState state(std::size_t i, std::uint32_t rank) const override {
    return nodes_[i]->state(rank);
  }
  void SetAddress(std::size_t i, const std::string& address) override {
    nodes_[i]->SetAddress(address);
  }

  void ReplaceTraffic(std::size_t index, std::unique_ptr<Traffic> traffic) override {
    users_.at(index).traffic = std::move(traffic);
  }

  RequestId Submit(std::size_t i, Request request, TokenListener* listener) override {
    return nodes_[i]->Submit(std::move(request), {.listener = listener}, now_);
  }
  void Abort(std::size_t i, RequestId id) override { nodes_[i]->Abort(id, now_); }
  void CountHttp(std::size_t i, int status, std::size_t in, std::size_t out) override {
    nodes_[i]->CountHttp(status, in, out);
  }

  [[nodiscard]] std::string MetricsPage(std::size_t i) override {
    return nodes_[i]->MetricsPage(now_);
  }
  [[nodiscard]] std::string metrics_path(std::size_t i) const override {
    return nodes_[i]->page().path;
  }
  [[nodiscard]] std::string metrics_content_type(std::size_t i) const override {
    return std::string(ContentTypeOf(nodes_[i]->page().writer));
  }
  [[nodiscard]] bool has_gpu_page() const override { return !gpu_page_.families.empty(); }
  [[nodiscard]] std::string GpuPage(std::optional<std::size_t> replica) override {
    std::vector<GpuReading> readings;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (replica && *replica != i) continue;
      for (GpuReading& reading : nodes_[i]->ReadGpus(now_)) readings.push_back(std::move(reading));
    }
    return WriteGpuPage(gpu_page_, readings, options_.start_unix_s + Seconds(now_));
  }
  [[nodiscard]] bool has_gateway_page() const override { return gateway_ != nullptr; }
  [[nodiscard]] std::string GatewayPage() override {
    std::vector<GatewayReading> readings;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      GatewayReading reading = gateway_->Read(i, now_);
      const ReplicaStatus status = nodes_[i]->status();
      reading.worker = nodes_[i]->address();
      reading.model = status.model;
      reading.healthy = status.up;
      for (std::uint32_t rank = 0; rank < nodes_[i]->recorder().ranks(); ++rank) {
        const SchedulerState state = nodes_[i]->state(rank);
        reading.prefilling += state.waiting + state.prefilling;
      }
      reading.prefilling = std::min(reading.prefilling, reading.active);
      readings.push_back(std::move(reading));
    }
    return WriteMetricsPage(
        gateway_page_, {.servers = readings, .now_unix_s = options_.start_unix_s + Seconds(now_)});
  }
  [[nodiscard]] std::vector<GpuReading> ReadGpus(std::size_t i) override {
    return nodes_[i]->ReadGpus(now_);
  }

  [[nodiscard]] std::uint64_t tokens_given() const override {
    std::uint64_t sum = 0;
    for (const auto& node : nodes_) sum += node->tokens_given();
    return sum;
  }
  [[nodiscard]] std::uint64_t requests_ended() const override {
    std::uint64_t sum = 0;
    for (const auto& node : nodes_) sum += node->requests_ended();
    return sum;
  }

 private:
  void AddUsers(const TrafficSpec& spec) {
    Users users{.spec = spec, .traffic = nullptr, .nodes = {}};
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i]->spec().name == spec.to) users.nodes.push_back(i);
    }
    ArrivalSpec arrivals = spec.arrivals;
    if (!options_.traffic) arrivals.per_second = 0;
    users.traffic = MakeTraffic(spec.workload, arrivals, scenario_.seed * 104729 + users_.size());
    users_.push_back(std::move(users));
  }

  void OnAnswered(std::size_t node, const Origin& origin, const RequestRecord& record,
                  SimTime now) {
    if (origin.session == 0) return;
    users_[origin.traffic].traffic->OnAnswered(origin.session, record, now);
    if (gateway_ == nullptr) return;
    gateway_->OnEnded(node, origin.taken, now, record.outcome != Outcome::kError);
  }

  // Everything that is due at `at`, causes before effects.
  void Live(SimTime at) {
    now_ = at;
    while (next_event_ < scenario_.events.size() && scenario_.events[next_event_].at <= at) {
      Happen(scenario_.events[next_event_++]);
    }
    for (std::size_t i = 0; i < users_.size(); ++i) {
      while (users_[i].traffic->NextArrival() <= at) {
        Arrival arrival = users_[i].traffic->Pop();
        const double delay = users_[i].spec.gateway_delay_s;
        if (delay > 0) {
          delayed_.push({at + FromSeconds(delay), ++order_, i, 0, std::move(arrival)});
        } else {
          Dispatch(i, std::move(arrival));
        }
      }
    }
    while (!delayed_.empty() && delayed_.top().at <= at) {
      Alarm alarm = delayed_.top();
      delayed_.pop();
      Dispatch(alarm.index, std::move(alarm.arrival));
    }
    while (!leaving_.empty() && leaving_.top().at <= at) {
      nodes_[leaving_.top().index]->Abort(leaving_.top().id, at);
      leaving_.pop();
    }
    for (const auto& node : nodes_) node->AdvanceTo(at);
  }

  void Happen(const EventSpec& event) {
    for (Users& users : users_) {
      if (users.spec.name != event.traffic || event.traffic.empty()) continue;
      if (event.rate && options_.traffic) users.traffic->SetRate(*event.rate, now_);
      if (event.prompt_factor) users.traffic->SetPromptFactor(*event.prompt_factor);
      if (event.output_factor) users.traffic->SetOutputFactor(*event.output_factor);
      if (event.prefixes_shared) users.traffic->SetPrefixesShared(*event.prefixes_shared);
      if (event.skew) users.spec.skew = *event.skew;
      if (event.gateway_delay_s) users.spec.gateway_delay_s = *event.gateway_delay_s;
    }
    std::uint32_t replica = 0;
    for (const auto& node : nodes_) {
      if (node->spec().name != event.node || event.node.empty()) continue;
      if (!event.replica || *event.replica == replica) node->Apply(event, now_);
      ++replica;
    }
  }

  // A replica that is up; null when none is.
  Node* Choose(Users& users, std::uint64_t session, std::size_t& index) {
    std::vector<std::size_t> up;
    for (const std::size_t i : users.nodes) {
      if (nodes_[i]->up()) up.push_back(i);
    }
    if (up.empty()) return nullptr;
    users.skewed += users.spec.skew;
    if (users.skewed >= 1) {
      users.skewed -= 1;
      index = up.front();
    } else if (users.spec.balance == Balance::kRoundRobin) {
      index = up[users.next++ % up.size()];
    } else if (users.spec.balance == Balance::kBySession) {
      index = up[session % up.size()];
    } else {
      index = *std::ranges::min_element(
          up, {}, [this](std::size_t i) { return nodes_[i]->open_requests(); });
    }
    return nodes_[index].get();
  }

  void Dispatch(std::size_t i, Arrival arrival) {
    Users& users = users_[i];
    std::size_t index = 0;
    Node* node = Choose(users, arrival.session, index);
    const bool fits = node != nullptr && arrival.request.prompt_tokens() < node->max_model_len();
    if (!fits) {
      if (node != nullptr) node->CountHttp(400, arrival.request.prompt_tokens() * 4, 200);
      if (gateway_ != nullptr) gateway_->OnRefused(users.nodes.front());
      users.traffic->OnAnswered(arrival.session, {.outcome = Outcome::kError}, now_);
      return;
    }
    const RequestId id =
        node->Submit(std::move(arrival.request),
                     {.traffic = i, .session = arrival.session, .taken = arrival.at}, now_);
    if (gateway_ != nullptr) gateway_->OnTaken(index, now_);
    if (arrival.patience != kNever)
      leaving_.push({std::max(arrival.patience, now_), ++order_, index, id, {}});
  }

  const Scenario scenario_;
  const FleetOptions options_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<Users> users_;
  dialect::PageSpec gpu_page_;
  dialect::PageSpec gateway_page_;
  std::unique_ptr<Gateway> gateway_;
  Alarms delayed_;
  Alarms leaving_;
  std::uint64_t order_ = 0;
  std::size_t next_event_ = 0;
  SimTime now_{};
};

}  // namespace

Result<std::unique_ptr<Fleet>> Fleet::Create(Scenario scenario,
                                             const dialect::ExportCatalog& catalog,
                                             FleetOptions options) {
  auto fleet = std::make_unique<LivingFleet>(std::move(scenario), std::move(options));
  if (const Result<void> populated = fleet->Populate(catalog); !populated) {
    return std::unexpected(populated.error());
  }
  return fleet;
}

}  // namespace firstword::simulate
