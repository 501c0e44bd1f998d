#include "dialect/detect.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "dialect/page_index.h"
#include "dialect/version_evidence.h"

namespace firstword::dialect {
namespace {

const Flavour* FindFlavour(const Dialect& dialect, const PageIndex& page) {
  for (const Flavour& flavour : dialect.flavours) {
    if (page.Holds(flavour.when, flavour.unless, dialect.prefixes)) return &flavour;
  }
  return nullptr;
}

// Detectors may spell the name out; then any source with '~' tells the prefix.
std::string FindPrefix(const Dialect& dialect, const PageIndex& page) {
  for (const Selector& selector : dialect.detect) {
    if (!selector.uses_prefix()) continue;
    if (const auto hit = page.Find(selector, dialect.prefixes)) return std::string(hit->prefix);
  }
  const Selector any{.name = "~*", .matchers = {}, .text = "~*"};
  const auto hit = page.Find(any, dialect.prefixes);
  return hit ? std::string(hit->prefix) : "";
}

std::optional<Detection> DetectOne(const Dialect& dialect, const PageIndex& page) {
  std::optional<PageIndex::Hit> seen;
  for (const Selector& selector : dialect.detect) {
    seen = page.Find(selector, dialect.prefixes);
    if (seen) break;
  }
  if (!seen || !page.Holds({}, dialect.detect_unless, dialect.prefixes)) return std::nullopt;

  Detection detection{.dialect = &dialect,
                      .flavour = FindFlavour(dialect, page),
                      .prefix = FindPrefix(dialect, page),
                      .versions = {},
                      .evidence = {}};
  VersionEvidence versions = WeighVersions(dialect, page);
  detection.versions = std::move(versions.versions);
  detection.evidence = std::move(versions.sentences);
  detection.evidence.push_back(fmt::format("{} is on the page", seen->name));
  if (detection.flavour != nullptr) {
    detection.evidence.push_back(fmt::format("it looks like {}", detection.flavour->title));
  }
  return detection;
}

}  // namespace

std::vector<Detection> Detect(const Registry& registry,
                              std::span<const promql::SharedLabels> series) {
  const PageIndex page(series);
  std::vector<Detection> detections;
  // The registry is in order of precedence already.
  for (const Kind kind : {Kind::kEngine, Kind::kGateway, Kind::kGpu}) {
    for (const Dialect& dialect : registry.dialects()) {
      if (dialect.kind != kind) continue;
      std::optional<Detection> detection = DetectOne(dialect, page);
      if (detection) detections.push_back(*std::move(detection));
    }
  }
  return detections;
}

}  // namespace firstword::dialect
