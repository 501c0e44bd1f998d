#include "signals/decomposition.h"

#include <algorithm>
#include <cmath>

namespace firstword::signals {
namespace {

const SignalValue* FindHistogram(const ReplicaSignals& signals, std::string_view name) {
  const SignalValue* value = signals.Find(name);
  return value != nullptr && value->histogram ? value : nullptr;
}

std::optional<double> MeanOf(const SignalValue* value) {
  return value == nullptr || value->invalid_sum ? std::nullopt : value->histogram->Mean();
}

double CountOf(const SignalValue* value) {
  return value == nullptr ? 0 : value->histogram->count().value_or(0);
}

// The largest known part. Without the gap the parts may miss the largest of all, so it is
// only named when it makes up half of TTFT or more.
void NameLargest(TtftDecomposition& split) {
  if (!split.ttft || *split.ttft <= 0) return;
  const struct {
    const char* name;
    std::optional<double> seconds;
  } parts[] = {{"queue", split.queue}, {"prefill", split.prefill}, {"frontend", split.gap}};
  double largest = 0;
  for (const auto& part : parts) {
    if (part.seconds.value_or(0) <= largest) continue;
    largest = *part.seconds;
    split.largest = part.name;
  }
  split.largest_share = std::min(1.0, largest / *split.ttft);
  if (!split.gap && split.largest_share < 0.5) {
    split.largest.clear();
    split.largest_share = 0;
  }
}

}  // namespace

TtftDecomposition DecomposeTtft(const ReplicaSignals& signals) {
  const SignalValue* ttft = FindHistogram(signals, "llm:ttft_seconds");
  const SignalValue* queue = FindHistogram(signals, "llm:queue_seconds");
  const SignalValue* prefill = FindHistogram(signals, "llm:prefill_seconds");
  TtftDecomposition split;
  if (ttft == nullptr) return split;
  split.lifetime = ttft->lifetime;
  // Parts of another span of time do not add up to this TTFT.
  if (queue != nullptr && queue->lifetime != ttft->lifetime) queue = nullptr;
  if (prefill != nullptr && prefill->lifetime != ttft->lifetime) prefill = nullptr;
  split.ttft = MeanOf(ttft);
  split.queue = MeanOf(queue);
  split.prefill = MeanOf(prefill);
  split.ttft_count = CountOf(ttft);
  split.parts_count = CountOf(queue != nullptr ? queue : prefill);
  if (split.ttft && split.queue && split.prefill) {
    split.gap = *split.ttft - *split.queue - *split.prefill;
  }
  if (split.queue || split.prefill) {
    constexpr double kTolerated = 0.01;
    const double off = std::abs(split.ttft_count - split.parts_count);
    split.mixed_populations = off > kTolerated * std::max(split.ttft_count, split.parts_count);
  }
  NameLargest(split);
  return split;
}

}  // namespace firstword::signals
