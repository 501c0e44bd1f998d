#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simulate/engine/replica.h"
#include "simulate/scenario/scenario.h"
#include "simulate/traffic/traffic.h"

namespace firstword::simulate {

// What was seen of one replica from a moment on.
class Seen final : public Observer {
 public:
  explicit Seen(SimTime from) : from_(from) {}

  void OnFirstToken(const RequestRecord& record) override {
    if (record.first_seen >= from_) ttfts_.push_back(Seconds(record.ttft()));
  }
  void OnGap(std::uint32_t, SimTime gap, std::uint32_t requests, std::uint32_t) override {
    if (now_ >= from_) gaps_[gap] += requests;
  }
  void OnPreempted(const RequestRecord&, SimTime now) override {
    if (now >= from_) ++preemptions;
  }
  void OnFinished(const RequestRecord& record) override {
    answered.push_back(record);
    if (record.last_seen < from_) return;
    ++ended;
    e2e_sum_ += Seconds(record.e2e());
  }
  void OnStep(const StepReport& step, const SchedulerState& state) override {
    now_ = step.end;
    last = state;
    if (now_ < from_) return;
    steps_s_ += Seconds(step.end - step.begin);
    gpu_s_ += Seconds(step.gpu);
  }

  [[nodiscard]] double Ttft(double quantile) const {
    std::vector<double> sorted = ttfts_;
    std::ranges::sort(sorted);
    if (sorted.empty()) return 0;
    const auto highest = static_cast<double>(sorted.size() - 1);
    return sorted[static_cast<std::size_t>(quantile * highest)];
  }
  [[nodiscard]] double Gap(double quantile) const {
    double all = 0;
    for (const auto& [gap, count] : gaps_) all += count;
    double below = 0;
    for (const auto& [gap, count] : gaps_) {
      below += count;
      if (below >= quantile * all) return Seconds(gap);
    }
    return 0;
  }
  [[nodiscard]] double E2e() const { return e2e_sum_ / std::max(1.0, 1.0 * ended); }
  // Of the time inside steps, what the GPU works.
  [[nodiscard]] double GpuShare() const { return gpu_s_ / std::max(1e-9, steps_s_); }

  std::uint32_t ended = 0, preemptions = 0;
  SchedulerState last;
  std::vector<RequestRecord> answered;  // not told to their traffic yet

 private:
  SimTime from_;
  SimTime now_{};
  std::vector<double> ttfts_;
  std::map<SimTime, std::uint32_t> gaps_;
  double e2e_sum_ = 0;
  double gpu_s_ = 0, steps_s_ = 0;
};

// One node of a scenario without anything around it: engines, users round robin, what events do
// to either; no crashes, no GPUs, no pages, no gateway. For a look at the engine alone, with
// exact quantiles.
class Stage {
 public:
  // Seen is what happens from `from` on.
  Stage(const Scenario& scenario, std::size_t node, SimTime from)
      : scenario_(scenario), node_(scenario.nodes[node]) {
    for (std::uint32_t i = 0; i < node_.replicas; ++i) {
      places_.push_back(std::make_unique<Place>(node_.config, scenario.seed + i, from));
    }
    for (const TrafficSpec& spec : scenario.traffic) {
      if (spec.to != node_.name) continue;
      users_.push_back(
          {spec.name, MakeTraffic(spec.workload, spec.arrivals, scenario.seed + users_.size())});
    }
  }

  void LiveUntil(SimTime end) {
    for (SimTime next = Next(); next <= end && next != kNever; next = Next()) Live(next);
  }
  [[nodiscard]] const Seen& seen(std::size_t replica) const { return places_[replica]->seen; }
  [[nodiscard]] std::size_t replicas() const { return places_.size(); }

 private:
  struct Place {
    Place(const EngineConfig& config, std::uint64_t seed, SimTime from)
        : seen(from), replica(config, seed, seen) {}
    Seen seen;
    Replica replica;
    std::unordered_map<RequestId, std::pair<Traffic*, std::uint64_t>> sessions;
  };
  struct Users {
    std::string name;
    std::unique_ptr<Traffic> traffic;
  };

  [[nodiscard]] SimTime Next() const {
    SimTime next = event_ < scenario_.events.size() ? scenario_.events[event_].at : kNever;
    for (const Users& users : users_) next = std::min(next, users.traffic->NextArrival());
    for (const auto& place : places_) next = std::min(next, place->replica.NextEvent());
    return next;
  }

  void Live(SimTime now) {
    for (; event_ < scenario_.events.size() && scenario_.events[event_].at <= now; ++event_) {
      Happen(scenario_.events[event_], now);
    }
    for (const Users& users : users_) {
      while (users.traffic->NextArrival() <= now) {
        Arrival arrival = users.traffic->Pop();
        Place& place = *places_[taken_++ % places_.size()];
        const RequestId id = place.replica.Submit(std::move(arrival.request), now);
        place.sessions[id] = {users.traffic.get(), arrival.session};
      }
    }
    for (const auto& place : places_) {
      place->replica.AdvanceTo(now);
      for (const RequestRecord& record : std::exchange(place->seen.answered, {})) {
        const auto [traffic, session] = place->sessions.at(record.id);
        traffic->OnAnswered(session, record, std::max(now, record.last_seen));
        place->sessions.erase(record.id);
      }
    }
  }

  void Happen(const EventSpec& event, SimTime now) {
    for (const Users& users : users_) {
      if (users.name != event.traffic) continue;
      if (event.rate) users.traffic->SetRate(*event.rate, now);
      if (event.output_factor) users.traffic->SetOutputFactor(*event.output_factor);
      if (event.prefixes_shared) users.traffic->SetPrefixesShared(*event.prefixes_shared);
    }
    if (event.node != node_.name) return;
    Impairment impairment;
    impairment.clock_share = event.clock_share.value_or(1);
    impairment.host_factor = event.host_factor.value_or(1);
    impairment.acceptance = event.acceptance.value_or(-1);
    impairment.rank_skew = event.rank_skew.value_or(0);
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (!event.replica || *event.replica == i) places_[i]->replica.Impair(impairment, now);
    }
  }

  const Scenario& scenario_;
  const NodeSpec& node_;
  std::vector<std::unique_ptr<Place>> places_;
  std::vector<Users> users_;
  std::size_t event_ = 0;
  std::size_t taken_ = 0;
};

}  // namespace firstword::simulate
