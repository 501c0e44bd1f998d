#include "simulate/fleet/node.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "simulate/engine/step_cost.h"
#include "simulate/pages/page_writer.h"

namespace firstword::simulate {
namespace {

constexpr std::uint32_t kGpusPerHost = 8;
constexpr double kIdleContextBytes = 500e6;  // a CUDA context without an engine

}  // namespace

Node::Node(NodeSpec spec, Place place, const dialect::ExportChoice& page, Answered answered)
    : spec_(std::move(spec)), place_(std::move(place)), answered_(std::move(answered)) {
  const EngineConfig& config = spec_.config;
  const std::uint32_t count =
      std::max(1u, config.tensor_parallel) * std::max(1u, config.data_parallel);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t number = place_.first_gpu + i;
    gpus_.emplace_back(
        config.gpu,
        GpuIdentity{.index = number % kGpusPerHost,
                    .number = number,
                    .host = fmt::format("{}-{}", place_.host_prefix, number / kGpusPerHost),
                    .used_bytes = 0},
        FromSeconds(place_.gpu_interval_s), SimTime{});
  }
  gpu_lost_.resize(count);
  Observer nobody;
  const Replica probe(config, place_.seed, nobody);
  max_model_len_ = probe.max_model_len();
  page_ = dialect::Resolve(*page.page, page.version,
                           {.max_model_len = max_model_len_,
                            .max_num_seqs = config.max_num_seqs,
                            .max_num_batched_tokens = config.max_num_batched_tokens});
  address_ = place_.name + ":8000";
  Start(SimTime{});
}

void Node::Start(SimTime now) {
  ++life_;
  ReplicaFacts facts = FactsOf(spec_.config);
  facts.version = page_.version;
  facts.instance = address_;
  facts.worker = address_;
  facts.host = fmt::format("{}-{}", place_.host_prefix, place_.first_gpu / kGpusPerHost);
  facts.start_unix_s = place_.start_unix_s + Seconds(now);
  facts.max_model_len = max_model_len_;
  recorder_ = std::make_unique<Recorder>(page_, std::move(facts));
  replica_ = std::make_unique<Replica>(spec_.config, place_.seed + life_ * 1000, *this);
  recorder_->set_kv_blocks(replica_->kv_blocks());
  replica_->Impair(impairment_, now);
  const double total = spec_.config.gpu.memory_gib * 1024 * 1024 * 1024;
  for (GpuMeter& gpu : gpus_) gpu.SetUsedBytes(total * spec_.config.gpu_memory_utilization);
  serves_again_ = kNever;
  next_crash_ = crash_every_s_ > 0 ? now + FromSeconds(crash_every_s_) : kNever;
}

void Node::Die(SimTime now) {
  if (!up()) return;
  Tell(now);
  replica_.reset();
  due_ = {};
  // In the order they came, so that a run can be repeated.
  std::vector<RequestId> ids;
  for (const auto& [id, origin] : origins_) ids.push_back(id);
  std::ranges::sort(ids);
  for (const RequestId id : ids) {
    const Origin origin = origins_.at(id);
    origins_.erase(id);
    const RequestRecord record{.id = id, .outcome = Outcome::kError, .last_seen = now};
    ++requests_ended_;
    if (origin.listener != nullptr) origin.listener->OnEnd(record);
    answered_(origin, record, now);
  }
  for (GpuMeter& gpu : gpus_) gpu.SetUsedBytes(kIdleContextBytes);
  next_crash_ = kNever;
}

ReplicaStatus Node::status() const {
  return {.name = place_.name,
          .engine = page_.engine,
          .version = page_.version,
          .model = spec_.config.model.served_as,
          .up = up(),
          .max_model_len = max_model_len_,
          .open_requests = origins_.size(),
          .gpus = static_cast<std::uint32_t>(gpus_.size())};
}

SchedulerState Node::state(std::uint32_t rank) const {
  return up() ? replica_->state(rank) : SchedulerState{};
}

RequestId Node::Submit(Request request, const Origin& origin, SimTime now) {
  CHECK(up());
  request.watched = origin.listener != nullptr;
  const RequestId id = Own(replica_->Submit(std::move(request), now));
  origins_.emplace(id, origin);
  return id;
}

void Node::Abort(RequestId id, SimTime now) {
  const auto found = origins_.find(id);
  if (found == origins_.end()) return;
  // Also while the process dies and tells one after the other.
  found->second.listener = nullptr;
  if (up()) replica_->Abort(id & ((RequestId{1} << 40) - 1), now);
}

void Node::AbortAll(SimTime now) {
  if (up()) replica_->AbortAll(now);
}

void Node::CountHttp(int status, std::size_t request_bytes, std::size_t response_bytes) {
  recorder_->CountHttp(status, request_bytes, response_bytes);
}

void Node::Impair(const EventSpec& event, SimTime now) {
  const auto set = [](const auto& from, auto& to) {
    if (from) to = *from;
  };
  set(event.clock_share, impairment_.clock_share);
  set(event.bandwidth_share, impairment_.bandwidth_share);
  set(event.host_factor, impairment_.host_factor);
  set(event.acceptance, impairment_.acceptance);
  set(event.rank_skew, impairment_.rank_skew);
  set(event.stuck, impairment_.stuck);
  set(event.prefix_cache_off, impairment_.prefix_cache_off);
  if (up()) replica_->Impair(impairment_, now);
}

void Node::ApplyToGpus(const EventSpec& event) {
  for (std::size_t i = 0; i < gpus_.size(); ++i) {
    if (event.gpu && *event.gpu != i) continue;
    GpuFault fault = gpus_[i].fault();
    if (event.clock_share) fault.clock_share = *event.clock_share;
    if (event.hw_thermal) fault.hw_thermal = *event.hw_thermal;
    if (event.sw_power_cap) fault.sw_power_cap = *event.sw_power_cap;
    if (event.telemetry_zero) fault.telemetry_zero = *event.telemetry_zero;
    if (event.row_remap_failure) fault.row_remap_failure = *event.row_remap_failure;
    if (event.xid) fault.xid = *event.xid;
    if (event.ecc_sbe) fault.ecc_sbe += *event.ecc_sbe;
    if (event.ecc_dbe) fault.ecc_dbe += *event.ecc_dbe;
    if (event.gpu_lost) gpu_lost_[i] = *event.gpu_lost;
    gpus_[i].SetFault(fault);
  }
}

void Node::Apply(const EventSpec& event, SimTime now) {
  if (event.crash_every_s > 0) crash_every_s_ = event.crash_every_s;
  Impair(event, now);
  ApplyToGpus(event);
  if (event.abort_all) AbortAll(now);
  if (event.restart) {
    Die(now);
    Start(now);
  }
  if (event.crash) {
    Die(now);
    serves_again_ = now + FromSeconds(spec_.cold_start_s);
  }
}

SimTime Node::NextEvent() const {
  SimTime next = std::min(serves_again_, next_crash_);
  if (up()) next = std::min(next, replica_->NextEvent());
  return due_.empty() ? next : std::min(next, due_.top().at);
}

void Node::AdvanceTo(SimTime now) {
  if (up()) replica_->AdvanceTo(now);
  Tell(now);
  if (next_crash_ <= now) {
    Die(now);
    serves_again_ = now + FromSeconds(spec_.cold_start_s);
  }
  if (serves_again_ <= now) Start(now);
}

void Node::Tell(SimTime now) {
  while (!due_.empty() && due_.top().at <= now) {
    const Due due = due_.top();
    due_.pop();
    const auto found = origins_.find(due.id);
    if (found == origins_.end()) continue;
    const Origin origin = found->second;
    if (due.count > 0) {
      if (origin.listener != nullptr) origin.listener->OnTokens(due.count);
      continue;
    }
    origins_.erase(found);
    if (origin.listener != nullptr) origin.listener->OnEnd(due.record);
    answered_(origin, due.record, now);
  }
}

std::string Node::MetricsPage(SimTime now) {
  const std::vector<GpuReading> gpus = ReadGpus(now);
  return WriteMetricsPage(page_, {.recorder = recorder_.get(),
                                  .gpus = gpus,
                                  .now_unix_s = place_.start_unix_s + Seconds(now)});
}

std::vector<GpuReading> Node::ReadGpus(SimTime now) {
  std::vector<GpuReading> readings;
  for (std::size_t i = 0; i < gpus_.size(); ++i) {
    if (!gpu_lost_[i]) readings.push_back(gpus_[i].Read(now));
  }
  return readings;
}

void Node::OnArrived(RequestId id, const Request& request, SimTime now) {
  recorder_->OnArrived(id, request, now);
}

void Node::OnPreempted(const RequestRecord& record, SimTime now) {
  recorder_->OnPreempted(record, now);
}

void Node::OnFirstToken(const RequestRecord& record) {
  ++tokens_given_;
  recorder_->OnFirstToken(record);
}

void Node::OnGap(std::uint32_t rank, SimTime gap, std::uint32_t requests, std::uint32_t tokens) {
  tokens_given_ += tokens;
  recorder_->OnGap(rank, gap, requests, tokens);
}

void Node::OnTokens(RequestId id, std::uint32_t count, SimTime seen) {
  due_.push({.at = seen, .order = ++order_, .id = Own(id), .count = count, .record = {}});
}

void Node::OnFinished(const RequestRecord& record) {
  ++requests_ended_;
  recorder_->OnFinished(record);
  RequestRecord own = record;
  own.id = Own(record.id);
  const SimTime at = record.last_seen == kNever ? record.arrived : record.last_seen;
  due_.push({.at = at, .order = ++order_, .id = own.id, .count = 0, .record = own});
}

void Node::OnStepBegun(const StepReport& step) {
  const std::uint32_t tp = std::max(1u, spec_.config.tensor_parallel);
  for (std::uint32_t i = 0; i < tp; ++i) gpus_[step.rank * tp + i].Begin(step);
}

void Node::OnStep(const StepReport& step, const SchedulerState& state) {
  recorder_->OnStep(step, state);
}

void Node::OnSpeculation(std::uint32_t rank, std::uint32_t drafts, std::uint32_t drafted,
                         std::span<const std::uint32_t> accepted_at) {
  recorder_->OnSpeculation(rank, drafts, drafted, accepted_at);
}

}  // namespace firstword::simulate
