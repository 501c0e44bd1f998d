#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/nearest.h"
#include "simulate/scenario/embedded.h"
#include "simulate/scenario/scenarios.h"

namespace firstword::simulate {
namespace {

constexpr std::string_view kEnding = ".yaml";
constexpr std::size_t kMaxBytes = std::size_t{1} << 20;

std::string_view NameOf(const yaml::EmbeddedFile& file) {
  return file.name.substr(0, file.name.size() - kEnding.size());
}

Result<std::string> ReadScenarioFile(const std::string& path) {
  if (std::filesystem::is_directory(path)) {
    return Fail(ErrorCode::kIo, fmt::format("{} is a directory, not a scenario", path));
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    return Fail(ErrorCode::kIo, fmt::format("cannot read {}", path),
                "built-in scenarios have names without a \"/\" or .yaml");
  }
  std::string text(kMaxBytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > kMaxBytes)
    return Fail(ErrorCode::kLimit, fmt::format("{} is larger than 1 MiB", path));
  return text;
}

}  // namespace

std::vector<std::string_view> BuiltinScenarioNames() {
  std::vector<std::string_view> names;
  for (const yaml::EmbeddedFile& file : EmbeddedScenarios()) names.push_back(NameOf(file));
  std::ranges::sort(names);
  return names;
}

std::string_view BuiltinScenarioText(std::string_view name) {
  for (const yaml::EmbeddedFile& file : EmbeddedScenarios()) {
    if (NameOf(file) == name) return file.content;
  }
  return {};
}

Result<Scenario> FindScenario(std::string_view name_or_path, const Presets& presets) {
  const bool is_path =
      name_or_path.find('/') != std::string_view::npos || name_or_path.ends_with(kEnding);
  if (is_path) {
    const std::string path(name_or_path);
    const Result<std::string> text = ReadScenarioFile(path);
    if (!text) return std::unexpected(text.error());
    return ParseScenario(*text, path, presets);
  }
  const std::string_view text = BuiltinScenarioText(name_or_path);
  if (!text.empty()) {
    return ParseScenario(text, fmt::format("scenarios/{}.yaml", name_or_path), presets);
  }
  const std::vector<std::string_view> names = BuiltinScenarioNames();
  std::string hint = DidYouMean(name_or_path, names);
  if (hint.empty()) hint = "firstword simulate --list shows them";
  return Fail(ErrorCode::kInvalid, fmt::format("there is no scenario \"{}\"", name_or_path),
              std::move(hint));
}

}  // namespace firstword::simulate
