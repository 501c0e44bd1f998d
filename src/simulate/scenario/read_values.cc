#include "simulate/scenario/read_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "base/units.h"

namespace firstword::simulate {

const yaml::Node& PlaceOf(const yaml::Node& map, std::string_view key) {
  const yaml::Node* node = map.Find(key);
  return node == nullptr ? map : *node;
}

std::string RequireText(FieldReader& fields, std::string_view what, std::string_view key) {
  std::string text;
  fields.Text(key, text);
  if (text.empty()) {
    fields.faults().Add(fields.node(), fmt::format("{} needs the key \"{}\"", what, key));
  }
  return text;
}

std::string ReadName(FieldReader& fields, std::string_view what, std::string_view key) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789-";
  std::string name = RequireText(fields, what, key);
  if (name.find_first_not_of(kLetters) != std::string::npos || name.starts_with('-')) {
    fields.faults().Add(PlaceOf(fields.node(), key),
                        fmt::format("\"{}\" must not be \"{}\"", key, name),
                        "lower case letters, digits and \"-\"");
  }
  return name;
}

SimTime ReadTime(FieldReader& fields, std::string_view key, SimTime otherwise) {
  const yaml::Node* node = fields.Take(key);
  if (node == nullptr) return otherwise;
  yaml::Faults& faults = fields.faults();
  const auto time = ParseDuration(yaml::ReadText(*node, key, faults));
  if (time) return *time;
  faults.Add(*node, fmt::format("\"{}\": {}", key, time.error().message), time.error().hint);
  return otherwise;
}

void CheckKnown(const yaml::Node& map, std::string_view key, std::string_view what,
                std::string_view word, std::span<const std::string_view> known,
                yaml::Faults& faults) {
  if (std::ranges::find(known, word) != known.end()) return;
  std::string hint = DidYouMean(word, known);
  if (hint.empty()) hint = fmt::format("there are {}", fmt::join(known, ", "));
  faults.Add(PlaceOf(map, key), fmt::format("\"{}\": there is no {} \"{}\"", key, what, word),
             std::move(hint));
}

}  // namespace firstword::simulate
