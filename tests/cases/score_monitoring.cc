// score_monitoring DIR: reads every case of a folder of monitoring cases (see its
// README.md) as the product would and compares what it says with expected.json. One line
// a case, then the totals. Exit code: 0 all passed or skipped, 1 some failed, 3 no cases.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include <cstdio>
#include <filesystem>
#include <set>

#include "dialect/registry.h"
#include "expectations.h"

namespace firstword::cases {
namespace {

enum class Outcome { kPassed, kFailed, kSkipped };

struct Verdict {
  Outcome outcome;
  std::string text;
};

Verdict Failed(std::string text) { return {Outcome::kFailed, std::move(text)}; }

Verdict ScoreCase(const std::filesystem::path& folder, const dialect::Registry& registry) {
  simdjson::dom::parser case_parser;
  simdjson::dom::parser expected_parser;
  simdjson::dom::object case_json;
  simdjson::dom::object expected;
  if (case_parser.load((folder / "case.json").string()).get(case_json) != simdjson::SUCCESS) {
    return Failed("case.json cannot be read");
  }
  if (expected_parser.load((folder / "expected.json").string()).get(expected) !=
      simdjson::SUCCESS) {
    return Failed("expected.json cannot be read");
  }
  Question question;
  std::vector<std::string> files;
  simdjson::dom::array list;
  std::string_view text;
  if (case_json["question"].get(text) != simdjson::SUCCESS ||
      case_json["files"].get(list) != simdjson::SUCCESS) {
    return Failed("case.json has no question or no files");
  }
  question.text = text;
  for (const simdjson::dom::element file : list) files.emplace_back(std::string_view{file});

  auto run = CaseRun::Load(folder, files, registry);
  if (!run) return Failed(run.error().ToString());
  question.targets = (*run)->targets();
  Score score;
  try {
    CheckExpected(**run, question, expected, score);
  } catch (const simdjson::simdjson_error& mismatch) {
    return Failed(std::string("expected.json has a value of another type: ") + mismatch.what());
  }
  const std::string later =
      score.later.empty() ? ""
                          : fmt::format("{} left for later (rules and lint are not built yet)",
                                        fmt::join(score.later, ", "));
  if (!score.failures.empty()) return Failed(fmt::format("{}", fmt::join(score.failures, "; ")));
  if (score.asserted == 0) return {Outcome::kSkipped, later};
  return {Outcome::kPassed, later};
}

int Run(const std::filesystem::path& folder) {
  const auto registry = dialect::Registry::LoadBuiltin();
  if (!registry) {
    fmt::print(stderr, "{}\n", registry.error().ToString());
    return 3;
  }
  std::error_code error;
  std::set<std::filesystem::path> cases;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (std::filesystem::exists(entry.path() / "case.json")) cases.insert(entry.path());
  }
  if (cases.empty()) {
    fmt::print(stderr, "no cases in {}\n", folder.string());
    return 3;
  }
  std::size_t passed = 0;
  std::size_t failed = 0;
  std::size_t skipped = 0;
  for (const std::filesystem::path& path : cases) {
    const Verdict verdict = ScoreCase(path, *registry);
    const std::string id = path.filename().string();
    switch (verdict.outcome) {
      case Outcome::kPassed:
        ++passed;
        fmt::print("ok {}{}\n", id, verdict.text.empty() ? "" : " (" + verdict.text + ")");
        break;
      case Outcome::kFailed:
        ++failed;
        fmt::print("FAIL {}: {}\n", id, verdict.text);
        break;
      case Outcome::kSkipped:
        ++skipped;
        fmt::print("skip {}: {}\n", id, verdict.text);
        break;
    }
  }
  fmt::print("{} passed, {} failed, {} skipped\n", passed, failed, skipped);
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace firstword::cases

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: score_monitoring DIR\n");
    return 3;
  }
  return firstword::cases::Run(argv[1]);
}
