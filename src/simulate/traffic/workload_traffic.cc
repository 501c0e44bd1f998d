#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <random>
#include <utility>

#include "simulate/traffic/traffic.h"

namespace firstword::simulate {
namespace {

// Texts of shared beginnings and of conversations never meet.
constexpr std::uint64_t kGroupTexts = 1;
constexpr std::uint64_t kOwnTexts = std::uint64_t{1} << 32;

struct Session {
  PromptPart shared;
  std::uint64_t text = 0;
  std::uint32_t said = 0;  // tokens of its own text so far, answers included
  std::uint32_t turns_left = 0;
};

struct NextTurn {
  SimTime at{};
  std::uint64_t session = 0;
  friend bool operator>(const NextTurn& a, const NextTurn& b) {
    return a.at != b.at ? a.at > b.at : a.session > b.session;
  }
};

class WorkloadTraffic final : public Traffic {
 public:
  WorkloadTraffic(WorkloadSpec workload, ArrivalSpec arrivals, std::uint64_t seed)
      : workload_(std::move(workload)), arrivals_(arrivals), random_(seed) {
    // How long a shared beginning is, and how popular, belongs to it and not to the request.
    std::mt19937_64 groups(seed ^ 0x9e3779b97f4a7c15ULL);
    double sum = 0;
    for (std::uint32_t i = 0; i < workload_.groups; ++i) {
      group_tokens_.push_back(workload_.shared_tokens.DrawCount(groups));
      popularity_.push_back(sum += std::pow(i + 1.0, -workload_.group_skew));
    }
    next_session_ = arrivals_.per_second > 0 ? FromSeconds(Gap()) : kNever;
  }

  [[nodiscard]] SimTime NextArrival() const override {
    return turns_.empty() ? next_session_ : std::min(next_session_, turns_.top().at);
  }

  [[nodiscard]] Arrival Pop() override {
    if (!turns_.empty() && turns_.top().at <= next_session_) {
      const NextTurn turn = turns_.top();
      turns_.pop();
      Session& session = sessions_.at(turn.session);
      return Turn(turn.session, session, turn.at,
                  Scaled(workload_.turn_tokens.DrawCount(random_), prompt_factor_));
    }
    const SimTime at = next_session_;
    next_session_ += FromSeconds(Gap());
    const std::uint64_t id = ++last_session_;
    Session& session = sessions_[id];
    session.text = kOwnTexts + id;
    session.turns_left = workload_.turns.DrawCount(random_);
    if (!popularity_.empty()) {
      const double at_sum = std::uniform_real_distribution<double>(0, popularity_.back())(random_);
      const auto group = static_cast<std::size_t>(std::ranges::upper_bound(popularity_, at_sum) -
                                                  popularity_.begin());
      const std::size_t index = std::min(group, group_tokens_.size() - 1);
      // An id of one's own: the same length, but nothing of it is in any cache.
      session.shared = {.text = shared_ ? kGroupTexts + index : (kOwnTexts << 8) + id,
                        .offset = 0,
                        .tokens = group_tokens_[index]};
    }
    return Turn(id, session, at,
                Scaled(workload_.prompt_tokens.DrawCount(random_), prompt_factor_));
  }

  void OnAnswered(std::uint64_t id, const RequestRecord& record, SimTime now) override {
    const auto found = sessions_.find(id);
    if (found == sessions_.end()) return;
    Session& session = found->second;
    session.said += record.output_tokens;
    const bool ended = record.outcome == Outcome::kAbort || record.outcome == Outcome::kError;
    if (session.turns_left == 0 || ended) {
      sessions_.erase(found);
      return;
    }
    turns_.push({now + FromSeconds(workload_.think_seconds.Draw(random_)), id});
  }

  void SetRate(double per_second, SimTime now) override {
    const double before = arrivals_.per_second;
    arrivals_.per_second = per_second;
    if (per_second <= 0) {
      next_session_ = kNever;
    } else if (next_session_ == kNever) {
      next_session_ = now + FromSeconds(Gap());
    } else if (next_session_ > now) {
      // What is left of the gap passes faster or slower.
      next_session_ = now + FromSeconds(Seconds(next_session_ - now) * before / per_second);
    }
  }
  void SetPromptFactor(double factor) override { prompt_factor_ = factor; }
  void SetOutputFactor(double factor) override { output_factor_ = factor; }
  void SetPrefixesShared(bool shared) override { shared_ = shared; }

 private:
  // Seconds to the next conversation: fewer of them come than requests when they have turns.
  double Gap() {
    const double turns = std::max(1.0, workload_.turns.mean);
    const double mean = turns / std::max(arrivals_.per_second, 1e-12);
    if (std::isinf(arrivals_.burstiness)) return mean;
    const double shape = arrivals_.burstiness;
    return std::gamma_distribution<double>(shape, mean / shape)(random_);
  }

  static std::uint32_t Scaled(std::uint32_t tokens, double factor) {
    return std::max(1u, static_cast<std::uint32_t>(tokens * factor));
  }

  Arrival Turn(std::uint64_t id, Session& session, SimTime at, std::uint32_t fresh) {
    --session.turns_left;
    session.said += fresh;
    Arrival arrival{.at = at, .request = {}, .session = id};
    if (session.shared.tokens > 0) arrival.request.prompt.push_back(session.shared);
    arrival.request.prompt.push_back({.text = session.text, .offset = 0, .tokens = session.said});
    arrival.request.output_tokens =
        Scaled(workload_.output_tokens.DrawCount(random_), output_factor_);
    arrival.request.max_tokens = workload_.max_tokens;
    std::uniform_real_distribution<double> chance(0, 1);
    arrival.request.streaming = chance(random_) < workload_.streaming_share;
    if (workload_.abort_share > 0 && chance(random_) < workload_.abort_share) {
      arrival.patience = at + FromSeconds(workload_.patience_seconds.Draw(random_));
    }
    return arrival;
  }

  const WorkloadSpec workload_;
  ArrivalSpec arrivals_;
  std::mt19937_64 random_;
  std::vector<std::uint32_t> group_tokens_;
  std::vector<double> popularity_;  // added up
  std::map<std::uint64_t, Session> sessions_;
  std::priority_queue<NextTurn, std::vector<NextTurn>, std::greater<>> turns_;
  SimTime next_session_{};
  std::uint64_t last_session_ = 0;
  double prompt_factor_ = 1;
  double output_factor_ = 1;
  bool shared_ = true;
};

}  // namespace

std::unique_ptr<Traffic> MakeTraffic(WorkloadSpec workload, ArrivalSpec arrivals,
                                     std::uint64_t seed) {
  return std::make_unique<WorkloadTraffic>(std::move(workload), arrivals, seed);
}

}  // namespace firstword::simulate
