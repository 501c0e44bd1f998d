#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace firstword::yaml {

// One node of a YAML document with its place in the file. Scalars are text as
// written: 0.10 is "0.10", never a number.
struct Node {
  enum class Kind : std::uint8_t { kNull, kScalar, kList, kMap };
  Kind kind = Kind::kNull;
  int line = 1;             // 1-based
  int column = 1;           // 1-based
  std::string text;         // of a scalar
  std::vector<Node> keys;   // of a map, unique scalars
  std::vector<Node> items;  // values of a map or elements of a list

  [[nodiscard]] const Node* Find(std::string_view key) const;
};

// Parses one document. Files are data from a user, so the text is bounded:
// 1 MiB, 24 levels, no aliases. Fails with kParse; the message begins with
// "file:line:column: ".
[[nodiscard]] Result<Node> Parse(std::string_view text, std::string_view file_name);

// Collects what is wrong with a document; the first fault is the one reported,
// so that readers can go on with defaults instead of checking every step.
class Faults {
 public:
  explicit Faults(std::string_view file_name) : file_name_(file_name) {}

  void Add(const Node& at, std::string_view message, std::string hint = {});
  [[nodiscard]] bool any() const { return !error_.message.empty(); }
  [[nodiscard]] const Error& error() const { return error_; }

 private:
  std::string file_name_;
  Error error_{.code = ErrorCode::kParse, .message = {}, .hint = {}};
};

// Adds a fault when `node` is no map or has a key that is not in `known`.
void CheckKeys(const Node& node, std::string_view what,
               std::initializer_list<std::string_view> known, Faults& faults);

// A map with a known set of keys. `what` names it in messages: "a part".
class Fields {
 public:
  // Checks the keys.
  Fields(const Node& node, std::string_view what, std::initializer_list<std::string_view> known,
         Faults& faults);

  [[nodiscard]] const Node& node() const { return node_; }
  // Null when the key is absent.
  [[nodiscard]] const Node* Find(std::string_view key) const { return node_.Find(key); }
  // Null, and a fault, when the key is absent.
  const Node* Require(std::string_view key);

  // "" when absent.
  std::string Text(std::string_view key);
  std::string RequireText(std::string_view key);
  bool Bool(std::string_view key);
  // Lists of scalars; a single scalar is a list of one. Empty lists are a fault.
  std::vector<std::string> Texts(std::string_view key);

 private:
  const Node& node_;
  std::string what_;
  Faults& faults_;
};

// The scalar's text; a fault and "" when the node is something else.
std::string ReadText(const Node& node, std::string_view what, Faults& faults);
// The scalar as a number; a fault and 0 when it is none.
double ReadNumber(const Node& node, std::string_view what, Faults& faults);
// The elements of a list, or the node itself when it is no list. A fault when the
// list is empty.
std::span<const Node> ReadItems(const Node& node, std::string_view what, Faults& faults);
// A word out of a fixed list: its index, or 0 and a fault.
std::size_t ReadWord(const Node& node, std::string_view key,
                     std::span<const std::string_view> words, Faults& faults);
// `node` is a map; a fault otherwise. An empty map is fine.
bool ExpectMap(const Node& node, std::string_view what, Faults& faults);

}  // namespace firstword::yaml
