#include "engine_model.h"

#include <fmt/format.h>

#include <algorithm>

namespace firstword::demo {

void LatencyHistogram::Observe(double seconds, double times) {
  for (std::size_t i = 0; i < bounds_.size(); ++i) {
    if (seconds <= bounds_[i]) counts_[i] += times;
  }
  sum_ += seconds * times;
  count_ += times;
}

std::string LatencyHistogram::Print(const std::string& name, const std::string& labels) const {
  std::string out = fmt::format("# TYPE {} histogram\n", name);
  const std::string lead = labels.empty() ? "" : labels + ",";
  for (std::size_t i = 0; i < bounds_.size(); ++i) {
    out += fmt::format("{}_bucket{{{}le=\"{}\"}} {}\n", name, lead, bounds_[i], counts_[i]);
  }
  out += fmt::format("{}_bucket{{{}le=\"+Inf\"}} {}\n", name, lead, count_);
  out +=
      fmt::format("{}_sum{{{}}} {}\n{}_count{{{}}} {}\n", name, labels, sum_, name, labels, count_);
  return out;
}

void EngineModel::AdvanceTo(double seconds) {
  constexpr double kStep = 0.1;
  while (now + kStep <= seconds) Step(kStep);
}

void EngineModel::Step(double seconds) {
  now += seconds;
  const double arrivals = std::poisson_distribution<int>(arrivals_per_second * seconds)(random_);
  const double queue_before = waiting;
  waiting += arrivals;

  // Decode slows with the batch; a full cache throws requests out and redoes their work.
  const double slowdown = 1 + running / max_running + (kv > 0.95 ? 0.6 : 0);
  const double done =
      std::min(running, static_cast<double>(std::poisson_distribution<int>(
                            running * seconds / (service_seconds * slowdown))(random_)));
  running -= done;
  finished += done;
  const double queue_seconds =
      std::max(0.01, queue_before * service_seconds * slowdown / max_running);
  while (waiting >= 1 && running < max_running && (running + 1) * kv_per_request <= 1) {
    waiting -= 1;
    running += 1;
    if (preempted_ >= 1) {  // it had its first token long ago
      preempted_ -= 1;
      continue;
    }
    const double prompt = 200 + static_cast<double>(random_() % 1800);
    const double prefill_seconds = 0.05 + prompt / 8000 * slowdown;
    prompt_tokens += prompt;
    cached_tokens += prompt * 0.4;
    queue.Observe(queue_seconds);
    prefill.Observe(prefill_seconds);
    ttft.Observe(0.02 + queue_seconds + prefill_seconds);
  }
  kv = std::min(1.0, running * kv_per_request);
  if (kv > 0.95 && waiting > 0 && random_() % 4 == 0) {
    preemptions += 1;
    running -= 1;
    waiting += 1;
    preempted_ += 1;
  }
  const double gap = 0.012 + 0.0008 * running * (kv > 0.95 ? 2 : 1);
  const double tokens = running * seconds / gap;
  generation_tokens += tokens;
  itl.Observe(gap, std::floor(tokens));
  if (done > 0) {
    decode.Observe(service_seconds * slowdown, done);
    e2e.Observe(queue_seconds + service_seconds * slowdown, done);
  }
}

}  // namespace firstword::demo
