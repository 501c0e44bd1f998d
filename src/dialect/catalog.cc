#include "dialect/catalog.h"

#include <algorithm>

namespace firstword::dialect {
namespace {

constexpr std::string_view kBucketSuffix = "_bucket";
constexpr std::string_view kSumSuffix = "_sum";
constexpr std::string_view kCountSuffix = "_count";

constexpr std::string_view kLlmLabels[] = {"backend", "model",    "rank",
                                           "replica", "instance", "job"};
constexpr std::string_view kGpuLabels[] = {"gpu",      "uuid", "host",      "gpu_model", "mig",
                                           "instance", "pod",  "namespace", "container", "job"};
constexpr std::string_view kGatewayLabels[] = {"backend", "model", "replica", "instance", "job"};

std::string_view Suffix(Catalog::Component component) {
  switch (component) {
    case Catalog::Component::kValue:
      return "";
    case Catalog::Component::kBucket:
      return kBucketSuffix;
    case Catalog::Component::kSum:
      return kSumSuffix;
    case Catalog::Component::kCount:
      return kCountSuffix;
  }
  return "";
}

}  // namespace

std::string_view SignalTypeName(SignalType type) {
  switch (type) {
    case SignalType::kGauge:
      return "gauge";
    case SignalType::kCounter:
      return "counter";
    case SignalType::kHistogram:
      return "histogram";
  }
  return "";
}

std::span<const std::string_view> FamilyLabels(std::string_view family) {
  if (family == "llm") return kLlmLabels;
  if (family == "gpu") return kGpuLabels;
  if (family == "gateway") return kGatewayLabels;
  return {};
}

std::string SeriesNameOf(const SignalDef& signal, Catalog::Component component) {
  return signal.name + std::string(Suffix(component));
}

const SignalDef* Catalog::Find(std::string_view name) const {
  const auto at = std::ranges::find(signals_, name, &SignalDef::name);
  return at == signals_.end() ? nullptr : &*at;
}

std::optional<Catalog::SeriesName> Catalog::Resolve(std::string_view series_name) const {
  if (const SignalDef* signal = Find(series_name)) {
    if (signal->type == SignalType::kHistogram) return std::nullopt;
    return SeriesName{signal, Component::kValue};
  }
  for (const Component component : {Component::kBucket, Component::kSum, Component::kCount}) {
    if (!series_name.ends_with(Suffix(component))) continue;
    std::string_view base = series_name;
    base.remove_suffix(Suffix(component).size());
    const SignalDef* signal = Find(base);
    if (signal != nullptr && signal->type == SignalType::kHistogram) {
      return SeriesName{signal, component};
    }
  }
  return std::nullopt;
}

}  // namespace firstword::dialect
