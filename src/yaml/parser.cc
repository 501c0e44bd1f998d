#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <sstream>
#include <utility>

#include "yaml/reader.h"

namespace firstword::yaml {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 20;
constexpr std::size_t kMaxDepth = 24;

// Stops yaml-cpp from inside a callback; never leaves this file.
struct Refused {
  YAML::Mark mark;
  std::string message;
  std::string hint;
};

// Builds our own tree from yaml-cpp's events: it keeps duplicate keys visible,
// and the depth is bounded before yaml-cpp recurses.
class TreeBuilder final : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    Put(Make(Node::Kind::kNull, mark), mark);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw Refused{mark, "aliases (*name) are not supported here", "write the value out"};
  }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                const std::string& value) override {
    Node node = Make(Node::Kind::kScalar, mark);
    node.text = value;
    Put(std::move(node), mark);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    Open(Node::Kind::kList, mark);
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    Open(Node::Kind::kMap, mark);
  }
  void OnMapEnd() override { Close(); }

  Node TakeRoot() { return std::move(root_); }

 private:
  static Node Make(Node::Kind kind, const YAML::Mark& mark) {
    Node node;
    node.kind = kind;
    node.line = mark.line + 1;  // yaml-cpp counts from 0
    node.column = mark.column + 1;
    return node;
  }

  void Open(Node::Kind kind, const YAML::Mark& mark) {
    if (open_.size() == kMaxDepth) {
      throw Refused{mark, fmt::format("nested deeper than {} levels", kMaxDepth), ""};
    }
    if (ExpectsKey()) RefuseKey(mark);
    open_.push_back(Make(kind, mark));
  }

  void Close() {
    Node done = std::move(open_.back());
    open_.pop_back();
    Put(std::move(done), {});
  }

  void Put(Node node, const YAML::Mark& mark) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Node& parent = open_.back();
    if (!ExpectsKey()) {
      parent.items.push_back(std::move(node));
      return;
    }
    if (node.kind != Node::Kind::kScalar) RefuseKey(mark);
    if (parent.Find(node.text) != nullptr) {
      throw Refused{mark, fmt::format("key \"{}\" stands here twice", node.text),
                    "keep one of the two"};
    }
    parent.keys.push_back(std::move(node));
  }

  [[nodiscard]] bool ExpectsKey() const {
    return !open_.empty() && open_.back().kind == Node::Kind::kMap &&
           open_.back().keys.size() == open_.back().items.size();
  }

  [[noreturn]] static void RefuseKey(const YAML::Mark& mark) {
    throw Refused{mark, "a key must be a plain word", ""};
  }

  Node root_;
  std::vector<Node> open_;
};

}  // namespace

Result<Node> Parse(std::string_view text, std::string_view file_name) {
  const auto at = [&](const YAML::Mark& mark, std::string_view message, std::string hint) {
    const YAML::Mark place = mark.is_null() ? YAML::Mark() : mark;
    return Fail(ErrorCode::kParse,
                fmt::format("{}:{}:{}: {}", file_name, place.line + 1, place.column + 1, message),
                std::move(hint));
  };
  if (text.size() > kMaxBytes) {
    return at({}, fmt::format("{} bytes; a file may have {}", text.size(), kMaxBytes),
              "split the file");
  }
  try {
    std::istringstream in{std::string(text)};
    YAML::Parser parser(in);
    TreeBuilder builder;
    if (!parser.HandleNextDocument(builder)) return at({}, "the file is empty", "");
    TreeBuilder rest;
    if (parser.HandleNextDocument(rest)) {
      const Node second = rest.TakeRoot();
      YAML::Mark mark;
      mark.line = second.line - 1;
      mark.column = second.column - 1;
      return at(mark, "a second document starts here", "give each document its own file");
    }
    return builder.TakeRoot();
  } catch (const Refused& refused) {
    return at(refused.mark, refused.message, refused.hint);
  } catch (const YAML::Exception& error) {
    return at(error.mark, error.msg, "the file is not sound YAML");
  }
}

}  // namespace firstword::yaml
