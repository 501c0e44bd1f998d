#include "simulate/pages/recorder.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "dialect/catalog.h"

namespace firstword::simulate {
namespace {

// Bodies as an OpenAI-compatible server sees them: four bytes a token and the frame around.
constexpr double kBytesPerToken = 4;
constexpr double kRequestFrame = 220;
constexpr double kResponseFrame = 350;
constexpr SimTime kThroughputWindow = std::chrono::seconds(1);
constexpr int kTooManyRequests = 429;
constexpr int kUnavailable = 503;

// 0 for a part of its life that a request did not reach.
double Between(SimTime begin, SimTime end) {
  return begin == kNever || end == kNever ? 0 : Seconds(end - begin);
}

double TimePerOutputToken(const RequestRecord& record) {
  if (record.output_tokens < 2) return 0;
  return Between(record.first_token, record.last_token) / (record.output_tokens - 1);
}

std::size_t Index(Distribution distribution) { return static_cast<std::size_t>(distribution); }

}  // namespace

Recorder::Recorder(const dialect::PageSpec& page, ReplicaFacts facts)
    : facts_(std::move(facts)), gauges_with_output_(page.gauges_with_output) {
  CHECK(facts_.ranks > 0);
  ranks_.resize(facts_.ranks);
  std::uint16_t index = 0;
  for (const dialect::PageHistogram& shown : page.histograms) {
    Histogram histogram{.bounds = shown.bounds,
                        .counts = std::vector<std::uint64_t>(shown.bounds.size() + 1)};
    if (const auto distribution = FindDistribution(shown.quantity)) {
      shown_in_[Index(*distribution)].push_back(index);
      const dialect::Rescaler to_base(shown.unit.empty() ? 1 : dialect::BaseScale(shown.unit));
      for (double& bound : histogram.bounds) bound = to_base(bound);
    }
    for (Rank& rank : ranks_) rank.histograms.push_back(histogram);
    ++index;
  }
  set_kv_blocks(facts_.kv_blocks);
}

void Recorder::set_kv_blocks(std::uint32_t blocks) {
  facts_.kv_blocks = blocks;
  for (Rank& rank : ranks_) {
    rank.record.state.blocks = blocks;
    rank.record.state.free_blocks = blocks;
  }
}

void Recorder::Observe(Rank& rank, Distribution distribution, double value, std::uint64_t weight) {
  DistributionTotals& totals = rank.record.distributions[Index(distribution)];
  totals.sum += value * static_cast<double>(weight);
  totals.count += weight;
  for (const std::uint16_t shown : shown_in_[Index(distribution)]) {
    Histogram& histogram = rank.histograms[shown];
    const std::vector<double>& bounds = histogram.bounds;
    const std::size_t last = histogram.last;
    const bool same =
        (last == bounds.size() || value <= bounds[last]) && (last == 0 || value > bounds[last - 1]);
    if (!same) {
      histogram.last =
          static_cast<std::size_t>(std::ranges::lower_bound(bounds, value) - bounds.begin());
    }
    histogram.counts[histogram.last] += weight;
  }
}

void Recorder::ObserveEnd(Rank& rank, Distribution distribution, double value, bool aborted) {
  if (!aborted) Observe(rank, distribution, value);
  Observe(rank, WithAborts(distribution), value);
}

void Recorder::CountHttp(int status, std::size_t request_bytes, std::size_t response_bytes) {
  if (status == kTooManyRequests || status == kUnavailable) ++frontend_.rejected;
  ++(status < 400 ? frontend_.http_2xx : status < 500 ? frontend_.http_4xx : frontend_.http_5xx);
  Rank& first = ranks_.front();
  Observe(first, Distribution::kHttpRequestBytes, static_cast<double>(request_bytes));
  Observe(first, Distribution::kHttpResponseBytes, static_cast<double>(response_bytes));
  Observe(first, Distribution::kHttpDuration, 0.001);
  Observe(first, Distribution::kFirstResponse, 0.001);
}

void Recorder::OnArrived(RequestId /*id*/, const Request& /*request*/, SimTime /*now*/) {
  ++frontend_.received;
  ++frontend_.http_active;
}

void Recorder::OnScheduled(const RequestRecord& record) {
  if (!facts_.prefix_caching) return;
  Rank& rank = ranks_[record.rank];
  rank.record.prefix_queries += record.prompt_tokens;
  rank.record.prefix_hits += record.cached_tokens;
  rank.record.prefix_query_blocks += record.prompt_tokens / facts_.block_tokens;
  rank.record.prefix_hit_blocks += record.cached_tokens / facts_.block_tokens;
  rank.looked_up += record.prompt_tokens;
  rank.found += record.cached_tokens;
}

void Recorder::OnPreempted(const RequestRecord& record, SimTime /*now*/) {
  ++ranks_[record.rank].record.preemptions;
}

void Recorder::OnFirstToken(const RequestRecord& record) {
  Rank& rank = ranks_[record.rank];
  rank.record.prompt_tokens += record.prompt_tokens;
  rank.record.cached_prompt_tokens += record.cached_tokens;
  ++rank.record.generation_tokens;
  const double ttft = Seconds(record.ttft());
  Observe(rank, Distribution::kTtft, ttft);
  Observe(rank, record.streaming ? Distribution::kTtftStreaming : Distribution::kTtftNonstreaming,
          ttft);
  if (record.streaming) Observe(ranks_.front(), Distribution::kFirstResponse, ttft);
}

void Recorder::OnGap(std::uint32_t rank_index, SimTime gap, std::uint32_t requests,
                     std::uint32_t tokens) {
  Rank& rank = ranks_[rank_index];
  rank.record.generation_tokens += tokens;
  const double seconds = Seconds(gap);
  Observe(rank, Distribution::kItl, seconds, requests);
  Observe(rank, Distribution::kItlPerToken, seconds * requests / tokens, tokens);
}

void Recorder::OnFinished(const RequestRecord& record) {
  Rank& rank = ranks_[record.rank];
  const bool aborted = record.outcome == Outcome::kAbort;
  ++rank.record.ended[static_cast<std::size_t>(record.outcome)];
  if (!aborted) {
    rank.record.ended_prompt_tokens += record.prompt_tokens;
    rank.record.ended_generation_tokens += record.output_tokens;
    rank.record.ended_cached_tokens += record.cached_tokens;
    if (record.streaming) {
      rank.record.ended_streaming_prompt_tokens += record.prompt_tokens;
      rank.record.ended_streaming_generation_tokens += record.output_tokens;
    }
  }
  rank.record.longest_context =
      std::max(rank.record.longest_context, record.prompt_tokens + record.output_tokens);
  const double e2e = Between(record.arrived, record.last_seen);
  using enum Distribution;
  const std::pair<Distribution, double> values[] = {
      {kE2e, e2e},
      {record.streaming ? kE2eStreaming : kE2eNonstreaming, e2e},
      {kTpot, TimePerOutputToken(record)},
      {kQueue, Between(record.queued, record.scheduled)},
      {kPrefill, Between(record.scheduled, record.first_token)},
      {kDecode, Between(record.first_token, record.last_token)},
      {kInference, Between(record.scheduled, record.last_token)},
      {kPromptTokens, record.prompt_tokens},
      {kGenerationTokens, record.output_tokens},
      {kComputedPromptTokens, record.prompt_tokens - record.cached_tokens},
      {kMaxTokens, record.max_tokens},
      {kParamsN, 1},
      {kPreemptionsPerRequest, record.preemptions},
  };
  for (const auto& [distribution, value] : values) ObserveEnd(rank, distribution, value, aborted);
  CountEndedHttp(record, e2e);
}

void Recorder::CountEndedHttp(const RequestRecord& record, double e2e) {
  // Requests that arrived before this recorder was there may end, too.
  if (frontend_.http_active > 0) --frontend_.http_active;
  ++(record.outcome == Outcome::kError ? frontend_.http_5xx : frontend_.http_2xx);
  Rank& first = ranks_.front();
  Observe(first, Distribution::kHttpDuration, e2e);
  if (!record.streaming) Observe(first, Distribution::kFirstResponse, e2e);
  Observe(first, Distribution::kHttpRequestBytes,
          kRequestFrame + kBytesPerToken * record.prompt_tokens);
  Observe(first, Distribution::kHttpResponseBytes,
          record.streaming ? 0 : kResponseFrame + kBytesPerToken * record.output_tokens);
}

void Recorder::UpdateThroughput(Rank& rank, const StepReport& step) {
  // After a pause the window begins anew, or idle time would water the figure down.
  if (step.begin - rank.record.last_step.end > kThroughputWindow) {
    rank.window_begin = step.begin;
    rank.window_generated = rank.last_generated;
    rank.window_prompted = rank.last_prompted;
  }
  RankRecord& record = rank.record;
  rank.last_generated = record.generation_tokens;
  rank.last_prompted = record.prompt_tokens;
  if (step.end - rank.window_begin < kThroughputWindow) return;
  const double seconds = Seconds(step.end - rank.window_begin);
  record.generation_tokens_per_s =
      static_cast<double>(record.generation_tokens - rank.window_generated) / seconds;
  record.prompt_tokens_per_s =
      static_cast<double>(record.prompt_tokens - rank.window_prompted) / seconds;
  rank.window_begin = step.end;
  rank.window_generated = record.generation_tokens;
  rank.window_prompted = record.prompt_tokens;
}

void Recorder::OnStep(const StepReport& step, const SchedulerState& state) {
  Rank& rank = ranks_[step.rank];
  RankRecord& record = rank.record;
  record.busy_s += Seconds(step.end - step.begin);
  ++record.steps;
  record.step_sequences += step.prefill_sequences + step.decode_sequences;
  // vLLM#22545: without an output there is no message that could carry the gauges.
  if (step.silent && gauges_with_output_) return;
  UpdateThroughput(rank, step);
  record.state = state;
  record.last_step = step;
  Observe(rank, Distribution::kIterationTokens, step.prefill_tokens + step.decode_tokens);
  if (rank.looked_up > 0) {
    record.cache_hit_rate = static_cast<double>(rank.found) / static_cast<double>(rank.looked_up);
    rank.looked_up = 0;
    rank.found = 0;
  }
}

void Recorder::OnSpeculation(std::uint32_t rank, std::uint32_t drafts, std::uint32_t drafted,
                             std::span<const std::uint32_t> accepted_at) {
  RankRecord& record = ranks_[rank].record;
  std::uint64_t accepted = 0;
  for (std::size_t i = 0; i < accepted_at.size(); ++i) {
    accepted += accepted_at[i];
    if (i < record.accepted_at.size()) record.accepted_at[i] += accepted_at[i];
  }
  record.drafts += drafts;
  record.draft_tokens += drafted;
  record.accepted_tokens += accepted;
  if (drafts > 0) {
    record.draft_length = static_cast<double>(drafted) / drafts;
    record.accept_length = 1 + static_cast<double>(accepted) / drafts;
  }
  if (drafted > 0) record.accept_rate = static_cast<double>(accepted) / drafted;
}

}  // namespace firstword::simulate
