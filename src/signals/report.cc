#include "signals/report.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "signals/checks.h"
#include "signals/findings_page.h"
#include "signals/page_view.h"
#include "signals/read_signals.h"

namespace firstword::signals {
namespace {

using promql::ColumnGroup;
using promql::Labels;

Labels TargetOf(const promql::SharedLabels& labels) { return labels ? *labels : Labels(); }

Result<std::vector<ColumnGroup>> SelectAll(promql::Source& raw, promql::TimeRange window) {
  const auto any = promql::Matcher::Create(promql::kMetricName, promql::MatchOp::kRegex, ".+");
  if (!any) return std::unexpected(any.error());
  promql::SelectRequest request;
  request.matchers = std::span(&*any, 1);
  request.range = window;
  return raw.Select(request);
}

std::string_view FamilyOf(dialect::Kind kind) {
  switch (kind) {
    case dialect::Kind::kEngine:
      return "llm";
    case dialect::Kind::kGateway:
      return "gateway";
    case dialect::Kind::kGpu:
      break;
  }
  return "gpu";
}

// What this page could give or is known not to give; a signal that neither the dialect
// nor the catalog has a word about is nobody's loss.
std::vector<AbsentSignal> AbsentOf(const TargetReport& report, const dialect::Catalog& catalog) {
  std::vector<AbsentSignal> absent;
  if (report.detections.empty() || report.replicas.empty()) return absent;
  const dialect::Dialect& dialect = *report.detections.front().dialect;
  for (const dialect::SignalDef& def : catalog.all()) {
    if (def.family != FamilyOf(dialect.kind)) continue;
    const bool present =
        std::any_of(report.replicas.begin(), report.replicas.end(),
                    [&](const ReplicaSignals& replica) { return replica.Find(def.name); });
    if (present) continue;
    AbsentSignal one{.def = &def, .why = {}, .cost = def.if_absent};
    if (const auto why = dialect.absent.find(def.name); why != dialect.absent.end()) {
      one.why = why->second;
    }
    const bool mapped =
        std::any_of(dialect.signals.begin(), dialect.signals.end(),
                    [&](const dialect::Mapping& mapping) { return mapping.signal == &def; });
    if (mapped || !one.why.empty() || !one.cost.empty()) absent.push_back(std::move(one));
  }
  return absent;
}

void ReadReport(PageView& page, const dialect::Registry& registry) {
  TargetReport& report = *page.report;
  report.target = TargetOf(page.raw.target);
  report.detections = dialect::Detect(registry, page.series);
  for (const ReplicaRows& rows : page.rows) {
    report.replicas.push_back(SignalsOf(rows));
    report.decompositions.push_back(DecomposeTtft(report.replicas.back()));
  }
  report.absent = AbsentOf(report, registry.catalog());
  Ranks ranks = RanksOf(page);
  report.ranks_known = std::move(ranks.known);
  report.ranks_reporting = std::move(ranks.reporting);
}

void AddFindings(std::span<PageView> pages, const ReportOptions& options) {
  for (PageView& page : pages) {
    for (const NamedCheck& named : PageChecks()) {
      for (Finding& finding : named.check(page, options)) {
        finding.code = named.code;
        page.report->findings.push_back(std::move(finding));
      }
    }
  }
  for (const NamedFleetCheck& named : FleetChecks()) {
    for (PageFinding& found : named.check(pages, options)) {
      found.finding.code = named.code;
      pages[found.page].report->findings.push_back(std::move(found.finding));
    }
  }
  for (PageView& page : pages) {
    Findings& findings = page.report->findings;
    AddKnownFaults(page, findings);
    const auto is_warning = [](const Finding& f) {
      return f.severity == Finding::Severity::kWarning;
    };
    Findings ordered;
    for (const bool warnings : {true, false}) {
      std::copy_if(findings.begin(), findings.end(), std::back_inserter(ordered),
                   [&](const Finding& f) { return is_warning(f) == warnings; });
    }
    findings = std::move(ordered);
  }
}

}  // namespace

std::optional<dialect::Kind> TargetReport::kind() const {
  if (detections.empty()) return std::nullopt;
  return detections.front().dialect->kind;
}

const Finding* TargetReport::FindFinding(std::string_view code) const {
  const auto at = std::find_if(findings.begin(), findings.end(),
                               [code](const Finding& finding) { return finding.code == code; });
  return at == findings.end() ? nullptr : &*at;
}

Result<std::vector<TargetReport>> Examine(dialect::CanonicalSource& source,
                                          promql::TimeRange window, const ReportOptions& options) {
  auto raw = SelectAll(source.raw(), window);
  if (!raw) return std::unexpected(raw.error());
  auto rows = ReadRows(source, window);
  if (!rows) return std::unexpected(rows.error());

  std::map<Labels, PageView> by_target;
  for (ColumnGroup& group : *raw) {
    const Labels target = TargetOf(group.target);
    by_target[target].raw = std::move(group);
  }
  for (ReplicaRows& one : *rows) {
    const auto at = by_target.find(TargetOf(one.target));
    if (at != by_target.end()) at->second.rows.push_back(std::move(one));
  }

  std::vector<TargetReport> reports(by_target.size());
  std::vector<PageView> pages;
  for (auto& [target, page] : by_target) {
    page.report = &reports[pages.size()];
    page.IndexNewestRow();
    ReadReport(page, source.registry());
    pages.push_back(std::move(page));
  }
  AddFindings(pages, options);
  return reports;
}

}  // namespace firstword::signals
