#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "base/nearest.h"
#include "dialect/catalog.h"
#include "yaml/reader.h"

namespace firstword::dialect {
namespace {

constexpr std::array<std::string_view, 3> kTypes = {"gauge", "counter", "histogram"};
constexpr std::array<std::string_view, 3> kRankRules = {"sum", "max", "first"};

void CheckSignalName(const yaml::Node& key, std::string_view family, yaml::Faults& faults) {
  if (FamilyLabels(family).empty()) {
    faults.Add(key, fmt::format("signal \"{}\" is of no known family", key.text),
               "names begin with llm:, gpu: or gateway:");
  }
  const std::string_view rest = std::string_view(key.text).substr(family.size());
  const bool sound = rest.size() > 1 && std::ranges::all_of(rest.substr(1), [](char c) {
                       return std::islower(static_cast<unsigned char>(c)) ||
                              std::isdigit(static_cast<unsigned char>(c)) || c == '_';
                     });
  if (!sound) {
    faults.Add(key, fmt::format("signal \"{}\" is not named <family>:<noun>_<unit>", key.text),
               "use lower case letters, digits and _");
  }
}

SignalDef ReadSignal(const yaml::Node& key, const yaml::Node& value, yaml::Faults& faults) {
  SignalDef signal;
  signal.name = key.text;
  signal.family = key.text.substr(0, key.text.find(':'));
  CheckSignalName(key, signal.family, faults);
  yaml::Fields fields(value, "a signal",
                      {"type", "unit", "help", "labels", "ranks", "min", "max", "if_absent"},
                      faults);
  if (const yaml::Node* type = fields.Require("type")) {
    signal.type = static_cast<SignalType>(ReadWord(*type, "\"type\"", kTypes, faults));
  }
  if (const yaml::Node* ranks = fields.Find("ranks")) {
    signal.ranks = static_cast<RankRule>(ReadWord(*ranks, "\"ranks\"", kRankRules, faults));
  }
  signal.unit = fields.RequireText("unit");
  if (const yaml::Node* unit = fields.Find("unit"); unit != nullptr && !IsUnit(signal.unit)) {
    faults.Add(*unit, fmt::format("unknown unit \"{}\"", signal.unit),
               fmt::format("units: {}", fmt::join(UnitWords(), ", ")));
  }
  signal.help = fields.RequireText("help");
  signal.labels = fields.Texts("labels");
  signal.if_absent = fields.Text("if_absent");
  if (const yaml::Node* min = fields.Find("min")) signal.min = ReadNumber(*min, "\"min\"", faults);
  if (const yaml::Node* max = fields.Find("max")) signal.max = ReadNumber(*max, "\"max\"", faults);
  if (signal.min && signal.max && *signal.min > *signal.max) {
    faults.Add(*value.Find("max"), "\"max\" is below \"min\"");
  }
  return signal;
}

}  // namespace

Result<Catalog> Catalog::Parse(std::string_view yaml, std::string_view file_name) {
  Catalog catalog;
  if (Result<void> added = catalog.AddYaml(yaml, file_name); !added) {
    return std::unexpected(added.error());
  }
  return catalog;
}

Result<void> Catalog::AddYaml(std::string_view yaml, std::string_view file_name) {
  const Result<yaml::Node> root = yaml::Parse(yaml, file_name);
  if (!root) return std::unexpected(root.error());
  yaml::Faults faults(file_name);
  yaml::Fields fields(*root, "a signals file", {"signals"}, faults);
  const yaml::Node* signals = fields.Require("signals");
  std::vector<SignalDef> added;
  if (signals != nullptr && ExpectMap(*signals, "\"signals\"", faults)) {
    for (std::size_t i = 0; i < signals->keys.size() && !faults.any(); ++i) {
      const yaml::Node& key = signals->keys[i];
      if (Find(key.text) != nullptr) {
        faults.Add(key, fmt::format("signal \"{}\" exists already", key.text),
                   "a file can add signals but not change them");
      }
      added.push_back(ReadSignal(key, signals->items[i], faults));
    }
  }
  if (faults.any()) return std::unexpected(faults.error());
  std::ranges::move(added, std::back_inserter(signals_));
  return {};
}

}  // namespace firstword::dialect
