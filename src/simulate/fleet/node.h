#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <string>
#include <unordered_map>
#include <vector>

#include "dialect/exports/export_catalog.h"
#include "simulate/engine/replica.h"
#include "simulate/fleet/fleet.h"
#include "simulate/gpu/gpu_meter.h"
#include "simulate/pages/recorder.h"
#include "simulate/scenario/scenario.h"

namespace firstword::simulate {

// Where a request came from, which is who hears of its end.
struct Origin {
  std::size_t traffic = 0;
  std::uint64_t session = 0;  // 0: from outside
  TokenListener* listener = nullptr;
  SimTime taken{};  // when the gateway got it
};

// One replica as an operator has it: a process that lives, dies and lives again on GPUs
// that stay, with a page.
class Node final : public Observer {
 public:
  struct Place {
    std::string name;
    std::uint32_t number = 0;     // in the fleet
    std::uint32_t first_gpu = 0;  // in the fleet
    std::string host_prefix;
    double start_unix_s = 0;
    double gpu_interval_s = 1;
    std::uint64_t seed = 1;
  };
  // `answered` hears of every request that ended, at the time its last token is seen.
  using Answered = std::function<void(const Origin&, const RequestRecord&, SimTime)>;

  Node(NodeSpec spec, Place place, const dialect::ExportChoice& page, Answered answered);

  [[nodiscard]] const NodeSpec& spec() const { return spec_; }
  [[nodiscard]] ReplicaStatus status() const;
  [[nodiscard]] bool up() const { return replica_ != nullptr; }
  [[nodiscard]] std::size_t open_requests() const { return origins_.size(); }
  [[nodiscard]] std::uint32_t max_model_len() const { return max_model_len_; }
  [[nodiscard]] const Recorder& recorder() const { return *recorder_; }
  [[nodiscard]] SchedulerState state(std::uint32_t rank) const;
  void SetAddress(const std::string& host_and_port) {
    address_ = host_and_port;
    recorder_->set_address(host_and_port);
  }
  [[nodiscard]] const std::string& address() const { return address_; }

  // Up only.
  RequestId Submit(Request request, const Origin& origin, SimTime now);
  void Abort(RequestId id, SimTime now);
  void AbortAll(SimTime now);
  void CountHttp(int status, std::size_t request_bytes, std::size_t response_bytes);

  void Apply(const EventSpec& event, SimTime now);

  [[nodiscard]] SimTime NextEvent() const;
  void AdvanceTo(SimTime now);

  [[nodiscard]] std::string MetricsPage(SimTime now);
  [[nodiscard]] const dialect::PageSpec& page() const { return page_; }
  // Those that can be read.
  [[nodiscard]] std::vector<GpuReading> ReadGpus(SimTime now);

  [[nodiscard]] std::uint64_t tokens_given() const { return tokens_given_; }
  [[nodiscard]] std::uint64_t requests_ended() const { return requests_ended_; }

  void OnArrived(RequestId id, const Request& request, SimTime now) override;
  void OnScheduled(const RequestRecord& record) override { recorder_->OnScheduled(record); }
  void OnPreempted(const RequestRecord& record, SimTime now) override;
  void OnFirstToken(const RequestRecord& record) override;
  void OnGap(std::uint32_t rank, SimTime gap, std::uint32_t requests,
             std::uint32_t tokens) override;
  void OnTokens(RequestId id, std::uint32_t count, SimTime seen) override;
  void OnFinished(const RequestRecord& record) override;
  void OnStepBegun(const StepReport& step) override;
  void OnStep(const StepReport& step, const SchedulerState& state) override;
  void OnSpeculation(std::uint32_t rank, std::uint32_t drafts, std::uint32_t drafted,
                     std::span<const std::uint32_t> accepted_at) override;

 private:
  // Tokens (or the end, with a record) that a listener gets at a moment.
  struct Due {
    SimTime at{};
    std::uint64_t order = 0;
    RequestId id = 0;
    std::uint32_t count = 0;  // 0: the end
    RequestRecord record;
    friend bool operator>(const Due& a, const Due& b) {
      return a.at != b.at ? a.at > b.at : a.order > b.order;
    }
  };

  void Start(SimTime now);
  void Die(SimTime now);
  void Tell(SimTime now);
  void Impair(const EventSpec& event, SimTime now);
  void ApplyToGpus(const EventSpec& event);
  // Ids of this life, which begin at 1, as ids of the node.
  [[nodiscard]] RequestId Own(RequestId id) const { return life_ << 40 | id; }

  const NodeSpec spec_;
  const Place place_;
  Answered answered_;
  dialect::PageSpec page_;
  std::string address_;
  std::uint32_t max_model_len_ = 0;
  std::unique_ptr<Recorder> recorder_;  // of the process that lives, or lived last
  std::unique_ptr<Replica> replica_;    // null: down
  std::vector<GpuMeter> gpus_;
  std::vector<bool> gpu_lost_;
  Impairment impairment_;
  std::uint64_t life_ = 0;
  SimTime serves_again_ = kNever;
  SimTime next_crash_ = kNever;
  double crash_every_s_ = 0;
  std::unordered_map<RequestId, Origin> origins_;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  std::uint64_t order_ = 0;
  std::uint64_t tokens_given_ = 0;
  std::uint64_t requests_ended_ = 0;
};

}  // namespace firstword::simulate
