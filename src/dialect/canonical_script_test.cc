#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "dialect/canonical_source.h"
#include "dialect/fake_source.h"
#include "dialect/test_files.h"

// Runs testdata/*.test; testdata/README.md explains their format.

namespace firstword::dialect {
namespace {

using promql::Labels;

std::string Trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(' ') - begin + 1));
}

double ParseValue(const std::string& text) {
  if (text == "_") return promql::kNoSample;
  if (text == "stale") return promql::kStale;
  return std::stod(text);
}

std::string ValueText(double value) {
  if (promql::IsStale(value)) return "stale";
  if (!promql::IsSample(value)) return "_";
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

std::string ColumnText(const CanonicalColumn& column) {
  std::string text = column.labels->ToString();
  for (const double value : column.values) text += " " + ValueText(value);
  for (const Origin& origin : column.origins) {
    text += " | " + std::to_string(origin.from);
    for (const std::string& name : origin.series) text += " " + name;
  }
  if (column.copies != 1) text += " | copies " + std::to_string(column.copies);
  if (column.dropped != 0) {
    text +=
        " | dropped " + std::to_string(column.dropped) + ", last " + ValueText(column.last_dropped);
  }
  return text;
}

Labels ParseLabels(std::string_view text) {
  Labels labels;
  const auto matchers = promql::ParseSelector(text);
  if (!matchers) {
    ADD_FAILURE() << text << ": " << matchers.error().message;
    return labels;
  }
  for (const promql::Matcher& matcher : *matchers) labels.Set(matcher.name(), matcher.value());
  return labels;
}

// A label set ends at its brace, or at the first blank when it has none.
std::size_t EndOfSeries(std::string_view line) {
  const std::size_t blank = line.find(' ');
  const std::size_t brace = line.find('{');
  return brace < blank ? line.find('}') + 1 : blank;
}

class Script {
 public:
  explicit Script(const std::filesystem::path& path)
      : name_(path.filename().string()), in_(ReadTestFile(path)), registry_(EmptyRegistry()) {}

  void Run() {
    std::string line;
    bool held = false;
    while (held || Next(line)) {
      held = false;
      if (line == "dialect") {
        ReadDialect();
      } else if (line.starts_with("case ")) {
        case_ = line.substr(5);
        source_ = std::make_unique<FakeSource>();
      } else if (line.starts_with("load ")) {
        held = Load(line.substr(5), line);
      } else if (line.starts_with("expect ")) {
        held = Expect(line.substr(7), line);
      } else {
        ADD_FAILURE() << name_ << ":" << line_ << ": unknown command " << line;
      }
    }
  }

 private:
  // Skips blank lines and comments.
  bool Next(std::string& line) {
    while (std::getline(in_, line)) {
      ++line_;
      if (!Trim(line).empty() && !Trim(line).starts_with('#')) return true;
    }
    return false;
  }

  void ReadDialect() {
    const int start = line_;
    std::string yaml;
    for (std::string line; std::getline(in_, line) && ++line_ && line != "end";)
      yaml += line + "\n";
    const Result<void> added = registry_.AddYaml(yaml, name_);
    EXPECT_TRUE(added) << "dialect at line " << start << ": " << added.error().ToString();
  }

  // Indented lines belong to the command; returns true when `line` is the next command.
  bool Load(const std::string& target, std::string& line) {
    const bool unknown = target == "unknown";
    bool first = true;
    while (Next(line)) {
      if (!line.starts_with("  ")) return true;
      const std::string series = Trim(line);
      const std::size_t end = EndOfSeries(series);
      std::istringstream texts(series.substr(end));
      std::vector<double> values;
      for (std::string text; texts >> text;) values.push_back(ParseValue(text));
      if (first) {
        std::vector<TimestampMs> times(values.size());
        for (std::size_t i = 0; i < times.size(); ++i) times[i] = static_cast<TimestampMs>(i) + 1;
        source_->AddTarget(unknown ? nullptr : std::make_shared<const Labels>(ParseLabels(target)),
                           std::move(times));
        first = false;
      }
      source_->AddSeries(ParseLabels(series.substr(0, end)), std::move(values));
    }
    return false;
  }

  bool Expect(const std::string& selector, std::string& line) {
    const int at = line_;
    std::vector<std::string> want;
    bool more = false;
    while (Next(line)) {
      more = !line.starts_with("  ");
      if (more) break;
      want.push_back(Trim(line));
    }
    std::vector<std::string> got;
    const auto matchers = promql::ParseSelector(selector);
    EXPECT_TRUE(matchers) << name_ << ":" << at;
    CanonicalSource source(*source_, registry_);
    promql::SelectRequest request;
    request.matchers = *matchers;
    const auto groups = source.Resolve(request);
    EXPECT_TRUE(groups) << name_ << ":" << at << ": " << groups.error().ToString();
    for (const CanonicalGroup& group : *groups) {
      for (const CanonicalColumn& column : group.columns) got.push_back(ColumnText(column));
    }
    std::ranges::sort(got);
    std::ranges::sort(want);
    EXPECT_EQ(got, want) << name_ << ":" << at << ": " << case_ << ": " << selector;
    return more;
  }

  std::string name_;
  std::istringstream in_;
  Registry registry_;
  std::unique_ptr<FakeSource> source_ = std::make_unique<FakeSource>();
  std::string case_;
  int line_ = 0;
};

TEST(CanonicalScriptTest, AllScriptsHold) {
  int scripts = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TestDataDir())) {
    if (entry.path().extension() != ".test") continue;
    ++scripts;
    Script(entry.path()).Run();
  }
  EXPECT_GE(scripts, 5);
}

}  // namespace
}  // namespace firstword::dialect
