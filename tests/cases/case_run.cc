#include "case_run.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <tuple>

#include "base/check.h"
#include "exposition/parser.h"

namespace firstword::cases {
namespace {

// Any moment that is not 0, so that a time taken for a number is seen.
constexpr TimestampMs kBase = 1'760'000'000'000;
constexpr const char* kOnlyTarget = "page";

TimestampMs Moment(double seconds) { return kBase + static_cast<TimestampMs>(seconds * 1000); }

// "t<seconds>[.<target>].prom"
std::optional<CaseRun::PageFile> ParseName(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  constexpr std::string_view kEnding = ".prom";
  if (!name.starts_with('t') || !name.ends_with(kEnding)) return std::nullopt;
  CaseRun::PageFile file{.time = 0, .target = {}, .path = path};
  const char* end = name.data() + name.size() - kEnding.size();
  int seconds = 0;
  const auto [rest, error] = std::from_chars(name.data() + 1, end, seconds);
  if (error != std::errc()) return std::nullopt;
  file.time = seconds;
  if (rest != end) {
    if (*rest != '.') return std::nullopt;
    file.target.assign(rest + 1, end);
  }
  return file;
}

promql::Labels LabelsOf(const std::string& target) {
  return {{"job", "case"}, {"instance", target.empty() ? kOnlyTarget : target}};
}

}  // namespace

Result<std::unique_ptr<CaseRun>> CaseRun::Load(const std::filesystem::path& folder,
                                               const std::vector<std::string>& files,
                                               const dialect::Registry& registry) {
  std::vector<PageFile> pages;
  for (const std::string& name : files) {
    const auto page = ParseName(folder / name);
    if (!page) return Fail(ErrorCode::kInvalid, name + " is no t<seconds>[.<target>].prom");
    pages.push_back(*page);
  }
  std::sort(pages.begin(), pages.end(), [](const PageFile& a, const PageFile& b) {
    return std::tie(a.time, a.target) < std::tie(b.time, b.target);
  });
  if (pages.empty()) return Fail(ErrorCode::kInvalid, "the case names no pages");

  std::unique_ptr<CaseRun> run(new CaseRun(registry, pages.size()));
  std::set<double> times;
  std::set<std::string> targets;
  for (const PageFile& page : pages) {
    std::ifstream in(page.path, std::ios::binary);
    if (!in) return Fail(ErrorCode::kIo, "cannot read " + page.path.string());
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    exposition::PageParser parser;
    if (const auto parsed = parser.Parse(text, exposition::Format::kText); !parsed) {
      return Fail(parsed.error(), page.path.filename().string());
    }
    run->scrapes_.Append(LabelsOf(page.target), Moment(page.time), parser.page());
    times.insert(page.time);
    targets.insert(page.target);
  }
  run->times_.assign(times.begin(), times.end());
  run->targets_.assign(targets.begin(), targets.end());
  return run;
}

const CaseRun::Look& CaseRun::LookAt(double from, double to) {
  const auto [at, fresh] = looks_.try_emplace({from, to});
  if (fresh) {
    const promql::TimeRange window{.after = Moment(from) - 1, .until = Moment(to)};
    auto reports = signals::Examine(source_, window, {});
    CHECK(reports);  // scrapes in memory have no way to fail
    at->second.reports = *std::move(reports);
    at->second.fleet = signals::Summarize(at->second.reports);
    at->second.headline = signals::HeadlineFor(at->second.fleet, at->second.reports, {});
  }
  return at->second;
}

std::vector<signals::ReplicaRows> CaseRun::Rows() {
  auto rows = signals::ReadRows(source_, {});
  return rows ? *std::move(rows) : std::vector<signals::ReplicaRows>{};
}

std::vector<std::string> CaseRun::targets() const {
  std::vector<std::string> named = targets_;
  std::erase(named, std::string());
  return named;
}

bool CaseRun::HasTarget(const std::string& name) const {
  return std::find(targets_.begin(), targets_.end(), name) != targets_.end();
}

double CaseRun::SecondsOf(TimestampMs time) { return static_cast<double>(time - kBase) / 1000; }

const signals::TargetReport* CaseRun::Look::Report(const std::string& target) const {
  const signals::TargetReport* only = nullptr;
  for (const signals::TargetReport& report : reports) {
    if (!target.empty() && report.target.Get("instance") == target) return &report;
    if (report.kind() == dialect::Kind::kEngine || reports.size() == 1) only = &report;
  }
  return target.empty() ? only : nullptr;
}

const signals::Finding* CaseRun::Look::Find(const std::string& code) const {
  for (const signals::TargetReport& report : reports) {
    if (const signals::Finding* finding = report.FindFinding(code)) return finding;
  }
  for (const signals::Finding& finding : fleet.findings) {
    if (finding.code == code) return &finding;
  }
  return nullptr;
}

}  // namespace firstword::cases
