#include "signals/test_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "exposition/parser.h"

namespace firstword::signals {
namespace {

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

promql::Labels LabelsOf(const std::string& name) { return {{"job", "test"}, {"instance", name}}; }

std::string_view StateName(Headline::State state) {
  switch (state) {
    case Headline::State::kGood:
      return "good";
    case Headline::State::kWaiting:
      return "waiting";
    case Headline::State::kUnknown:
      break;
  }
  return "unknown";
}

std::string Shown(std::optional<double> value) {
  if (!value) return "absent";
  std::ostringstream out;
  out << *value;
  return out.str();
}

std::map<std::string, std::string> FiguresOf(const FleetSummary& fleet) {
  return {{"replicas", std::to_string(fleet.replicas)},
          {"left_out", std::to_string(fleet.left_out)},
          {"partial", fleet.partial ? "yes" : "no"},
          {"running", Shown(fleet.running)},
          {"waiting", Shown(fleet.waiting)},
          {"kv_mean", Shown(fleet.kv_usage_mean)},
          {"kv_max", Shown(fleet.kv_usage_max)},
          {"kv_max_replica", fleet.kv_usage_max_replica},
          {"tokens_per_second", Shown(fleet.generation_tokens_per_second)},
          {"ttft_count", Shown(fleet.ttft ? fleet.ttft->count() : std::nullopt)}};
}

std::string ListOf(const std::vector<Finding>& findings) {
  std::string list;
  for (const Finding& finding : findings) {
    list += "\n    " + finding.code + ": " + finding.text +
            (finding.source.empty() ? "" : " [" + finding.source + "]");
  }
  return list;
}

class SceneTest : public testing::TestWithParam<std::filesystem::path> {};

void ExpectFinding(const std::vector<Finding>& findings, const std::string& code,
                   const std::string& text, std::string_view severity) {
  const bool found = std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
    const bool warning = finding.severity == Finding::Severity::kWarning;
    return finding.code == code && (severity.empty() || (severity == "warning") == warning) &&
           (finding.text + " [" + finding.source + "]").find(text) != std::string::npos;
  });
  EXPECT_TRUE(found) << code << ": " << text << "\n  among:" << ListOf(findings);
}

void ExpectHeadline(const Headline& headline, const std::string& state, const std::string& text) {
  EXPECT_EQ(StateName(headline.state), state) << headline.text;
  EXPECT_EQ(headline.text, text);
}

TEST_P(SceneTest, IsToldAsExpected) {
  Scene scene(GetParam());
  ASSERT_EQ(scene.problem(), "");
  const ReportOptions options;
  const auto reports = Examine(scene.source(), {}, options);
  ASSERT_TRUE(reports) << reports.error().ToString();
  const FleetSummary fleet = Summarize(*reports);
  const std::map<std::string, std::string> figures = FiguresOf(fleet);
  std::map<std::string, std::multiset<std::string>> expected_codes;

  for (const Scene::Expectation& want : scene.expectations()) {
    SCOPED_TRACE("line " + std::to_string(want.line));
    const std::vector<std::string>& words = want.words;
    const auto report = std::find_if(reports->begin(), reports->end(), [&](const TargetReport& r) {
      return words.size() > 1 && r.target.Get("instance") == words[1];
    });
    if (words[0] == "finding" && words.size() == 4 && report != reports->end()) {
      ExpectFinding(report->findings, words[2], want.text, words[3]);
      expected_codes[words[1]].insert(words[2]);
    } else if (words[0] == "headline" && words.size() == 3 && report != reports->end()) {
      ExpectHeadline(HeadlineFor(*report, options), words[2], want.text);
    } else if (words[0] == "fleet" && words.size() == 3 && words[1] == "finding") {
      ExpectFinding(fleet.findings, words[2], want.text, {});
    } else if (words[0] == "fleet" && words.size() == 3 && words[1] == "headline") {
      ExpectHeadline(HeadlineFor(fleet, *reports, options), words[2], want.text);
    } else if (words[0] == "fleet" && words.size() == 3 && figures.contains(words[1])) {
      EXPECT_EQ(figures.at(words[1]), words[2]);
    } else {
      ADD_FAILURE() << "no such expectation";
    }
  }
  for (const TargetReport& report : *reports) {
    std::multiset<std::string> came;
    for (const Finding& finding : report.findings) came.insert(finding.code);
    const std::string name(report.target.Get("instance"));
    EXPECT_EQ(came, expected_codes[name]) << name << ListOf(report.findings);
  }
}

std::vector<std::filesystem::path> SceneFiles() {
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(SignalsTestData() / "scenes")) {
    if (entry.path().extension() == ".scene") files.insert(entry.path());
  }
  return {files.begin(), files.end()};
}

INSTANTIATE_TEST_SUITE_P(Files, SceneTest, testing::ValuesIn(SceneFiles()),
                         [](const auto& info) { return info.param.stem().string(); });

}  // namespace

std::filesystem::path SignalsTestData() {
  return std::filesystem::path(FIRSTWORD_SOURCE_DIR) / "src/signals/testdata";
}

const dialect::Registry& ToyRegistry() {
  static const dialect::Registry registry = [] {
    const auto catalog = std::filesystem::path(FIRSTWORD_SOURCE_DIR) / "dialects/signals.yaml";
    auto built = dialect::Registry::WithCatalog(ReadFile(catalog), "signals.yaml").value();
    for (const char* name : {"toy.yaml", "toygate.yaml", "toygpu.yaml"}) {
      const auto added = built.AddYaml(ReadFile(SignalsTestData() / "dialects" / name), name);
      EXPECT_TRUE(added) << added.error().ToString();
    }
    return built;
  }();
  return registry;
}

Scene::Scene(const std::filesystem::path& file) {
  Read(file);
  source_ = std::make_unique<dialect::CanonicalSource>(scrapes_, ToyRegistry());
}

void Scene::Read(const std::filesystem::path& file) {
  std::istringstream in(ReadFile(file));
  struct PageText {
    TimestampMs time = 0;
    std::string name;
    std::string body;
    bool failed = false;
  };
  std::vector<PageText> pages;
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    std::istringstream words(line.substr(0, line.find(": ")));
    std::string keyword;
    words >> keyword;
    if (line.empty() || line.starts_with("# ")) continue;
    if (keyword == "page" || keyword == "fail") {
      std::string time;
      std::string name;
      words >> time >> name;
      pages.push_back({kBase + 1000 * std::stoll(time.substr(1)), name, {}, keyword == "fail"});
    } else if (keyword == "finding" || keyword == "headline" || keyword == "fleet") {
      Expectation want{.line = number, .words = {keyword}, .text = {}};
      for (std::string word; words >> word;) want.words.push_back(word);
      const std::size_t colon = line.find(": ");
      if (colon != std::string::npos) want.text = line.substr(colon + 2);
      expectations_.push_back(std::move(want));
    } else if (pages.empty()) {
      problem_ = "line " + std::to_string(number) + " belongs to no page";
    } else {
      pages.back().body += line + "\n";
    }
  }
  for (const PageText& page : pages) {
    exposition::PageParser parser;
    if (page.failed) {
      scrapes_.AppendFailure(LabelsOf(page.name), page.time);
    } else if (const auto parsed = parser.Parse(page.body, exposition::Format::kText); !parsed) {
      problem_ = parsed.error().ToString();
    } else {
      scrapes_.Append(LabelsOf(page.name), page.time, parser.page());
    }
  }
}

}  // namespace firstword::signals
