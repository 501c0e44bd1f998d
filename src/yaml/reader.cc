#include "yaml/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/nearest.h"

namespace firstword::yaml {
namespace {

std::string_view KindWord(const Node& node) {
  switch (node.kind) {
    case Node::Kind::kNull:
      return "nothing";
    case Node::Kind::kScalar:
      return "a plain value";
    case Node::Kind::kList:
      return "a list";
    case Node::Kind::kMap:
      return "a map";
  }
  return "";
}

}  // namespace

const Node* Node::Find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].text == key) return &items[i];
  }
  return nullptr;
}

void Faults::Add(const Node& at, std::string_view message, std::string hint) {
  if (any()) return;
  error_.message = fmt::format("{}:{}:{}: {}", file_name_, at.line, at.column, message);
  error_.hint = std::move(hint);
}

bool ExpectMap(const Node& node, std::string_view what, Faults& faults) {
  if (node.kind == Node::Kind::kMap) return true;
  faults.Add(node,
             fmt::format("{} must be a map of keys and values, found {}", what, KindWord(node)));
  return false;
}

std::string ReadText(const Node& node, std::string_view what, Faults& faults) {
  if (node.kind == Node::Kind::kScalar && !node.text.empty()) return node.text;
  faults.Add(node, fmt::format("{} must be a text, found {}", what,
                               node.kind == Node::Kind::kScalar ? "an empty one" : KindWord(node)));
  return "";
}

double ReadNumber(const Node& node, std::string_view what, Faults& faults) {
  double number = 0;
  const char* end = node.text.data() + node.text.size();
  const auto [at, error] = std::from_chars(node.text.data(), end, number);
  if (node.kind == Node::Kind::kScalar && error == std::errc() && at == end) return number;
  faults.Add(node, fmt::format("{} must be a number, found {}", what,
                               node.kind == Node::Kind::kScalar ? fmt::format("\"{}\"", node.text)
                                                                : std::string(KindWord(node))));
  return 0;
}

std::span<const Node> ReadItems(const Node& node, std::string_view what, Faults& faults) {
  if (node.kind != Node::Kind::kList) return {&node, 1};
  if (node.items.empty()) {
    faults.Add(node, fmt::format("{} is an empty list", what), "leave the key out instead");
  }
  return node.items;
}

std::size_t ReadWord(const Node& node, std::string_view key,
                     std::span<const std::string_view> words, Faults& faults) {
  const auto at = std::ranges::find(words, node.text);
  if (at != words.end()) return static_cast<std::size_t>(at - words.begin());
  faults.Add(node,
             fmt::format("{} must be {}, found \"{}\"", key, fmt::join(words, " or "), node.text));
  return 0;
}

void CheckKeys(const Node& node, std::string_view what,
               std::initializer_list<std::string_view> known, Faults& faults) {
  if (!ExpectMap(node, what, faults)) return;
  for (const Node& key : node.keys) {
    if (std::ranges::find(known, key.text) != known.end()) continue;
    std::string hint = DidYouMean(key.text, known);
    if (hint.empty()) hint = fmt::format("known keys: {}", fmt::join(known, ", "));
    faults.Add(key, fmt::format("{} has no key \"{}\"", what, key.text), std::move(hint));
  }
}

Fields::Fields(const Node& node, std::string_view what,
               std::initializer_list<std::string_view> known, Faults& faults)
    : node_(node), what_(what), faults_(faults) {
  CheckKeys(node, what, known, faults);
}

const Node* Fields::Require(std::string_view key) {
  const Node* node = node_.Find(key);
  if (node == nullptr) faults_.Add(node_, fmt::format("{} needs the key \"{}\"", what_, key));
  return node;
}

std::string Fields::Text(std::string_view key) {
  const Node* node = node_.Find(key);
  return node == nullptr ? "" : ReadText(*node, fmt::format("\"{}\"", key), faults_);
}

std::string Fields::RequireText(std::string_view key) {
  return Require(key) == nullptr ? "" : Text(key);
}

bool Fields::Bool(std::string_view key) {
  const Node* node = node_.Find(key);
  if (node == nullptr) return false;
  if (node->text != "true" && node->text != "false") {
    faults_.Add(*node, fmt::format("\"{}\" must be true or false", key));
  }
  return node->text == "true";
}

std::vector<std::string> Fields::Texts(std::string_view key) {
  std::vector<std::string> texts;
  const Node* node = node_.Find(key);
  if (node == nullptr) return texts;
  const std::string what = fmt::format("\"{}\"", key);
  for (const Node& item : ReadItems(*node, what, faults_)) {
    texts.push_back(ReadText(item, what, faults_));
  }
  return texts;
}

}  // namespace firstword::yaml
