#include "dialect/dialect_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/nearest.h"
#include "dialect/selector.h"

namespace firstword::dialect {
namespace {

std::optional<Version> ReadVersion(yaml::Fields& fields, std::string_view key,
                                   const DialectContext& context) {
  const std::string text = fields.Text(key);
  if (text.empty()) return std::nullopt;
  std::optional<Version> version = Version::Parse(text);
  if (!version) {
    context.faults.Add(*fields.Find(key), fmt::format("\"{}\" is no version: \"{}\"", key, text),
                       "write it as 0.9.2, 0.4.3.post3 or 0.20.2rc1");
  }
  return version;
}

void ReadTable(const yaml::Node& node, LabelRule& rule, yaml::Faults& faults) {
  if (!ExpectMap(node, "\"table\"", faults)) return;
  if (node.keys.empty()) faults.Add(node, "\"table\" is empty", "leave the key out instead");
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    rule.table.emplace(node.keys[i].text, ReadText(node.items[i], "a value of \"table\"", faults));
  }
}

LabelRule ReadLabelRule(const yaml::Node& node, std::span<const std::string_view> known,
                        const DialectContext& context) {
  LabelRule rule;
  if (node.kind == yaml::Node::Kind::kScalar) {
    static constexpr std::array<std::string_view, 2> kRoles = {"copies", "shares"};
    const std::size_t role = ReadWord(node, "a label rule without \"to\"", kRoles, context.faults);
    rule.role = role == 0 ? LabelRule::Role::kCopies : LabelRule::Role::kShares;
    return rule;
  }
  yaml::Fields fields(node, "a label rule", {"to", "table", "otherwise", "as"}, context.faults);
  rule.role = LabelRule::Role::kTo;
  rule.to = fields.RequireText("to");
  if (const yaml::Node* to = fields.Find("to");
      to && std::ranges::find(known, rule.to) == known.end()) {
    std::string hint = DidYouMean(rule.to, known);
    if (hint.empty()) hint = fmt::format("known labels: {}", fmt::join(known, ", "));
    context.faults.Add(*to, fmt::format("no canonical label is named \"{}\"", rule.to),
                       std::move(hint));
  }
  if (const yaml::Node* table = fields.Find("table")) ReadTable(*table, rule, context.faults);
  if (const yaml::Node* otherwise = fields.Find("otherwise")) {
    rule.otherwise = ReadText(*otherwise, "\"otherwise\"", context.faults);
  }
  if (const yaml::Node* as = fields.Find("as")) {
    static constexpr std::array<std::string_view, 1> kForms = {"address"};
    ReadWord(*as, "\"as\"", kForms, context.faults);
    rule.as_address = true;
  }
  return rule;
}

}  // namespace

Selector ReadSelector(const yaml::Node& node, SelectorUse use, const DialectContext& context) {
  const std::string text = ReadText(node, "a selector", context.faults);
  if (text.empty()) return {};
  Result<Selector> selector = ParseDialectSelector(text);
  if (!selector) {
    context.faults.Add(node,
                       fmt::format("bad selector \"{}\": {}", text, selector.error().message));
    return {};
  }
  if (selector->uses_prefix() && !context.has_prefixes) {
    context.faults.Add(node,
                       fmt::format("\"{}\" begins with ~ but the dialect has no prefixes", text),
                       "add \"prefixes\" or write the name out");
  }
  if (selector->is_open() && use == SelectorUse::kSource) {
    context.faults.Add(node, fmt::format("\"{}\" ends in *, which only a condition may", text),
                       "name one series");
  }
  return *std::move(selector);
}

std::vector<Selector> ReadConditions(const yaml::Fields& fields, std::string_view key,
                                     const DialectContext& context) {
  std::vector<Selector> selectors;
  const yaml::Node* node = fields.Find(key);
  if (node == nullptr) return selectors;
  for (const yaml::Node& item : ReadItems(*node, fmt::format("\"{}\"", key), context.faults)) {
    selectors.push_back(ReadSelector(item, SelectorUse::kCondition, context));
  }
  return selectors;
}

VersionRange ReadVersions(yaml::Fields& fields, const DialectContext& context) {
  VersionRange range;
  range.min = ReadVersion(fields, "since", context);
  range.max = ReadVersion(fields, "until", context);
  if (range.min && range.max && *range.min > *range.max) {
    context.faults.Add(*fields.Find("until"),
                       fmt::format("\"until\" {} is before \"since\" {}", range.max->ToString(),
                                   range.min->ToString()),
                       "both ends belong to the range");
  }
  return range;
}

LabelRules ReadLabelRules(const yaml::Node& node, std::span<const std::string_view> known,
                          const DialectContext& context) {
  LabelRules rules;
  if (!ExpectMap(node, "\"labels\"", context.faults)) return rules;
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    rules.emplace(node.keys[i].text, ReadLabelRule(node.items[i], known, context));
  }
  return rules;
}

const SignalDef* ReadSignalName(const yaml::Node& node, const DialectContext& context) {
  const SignalDef* signal = context.catalog.Find(node.text);
  if (signal != nullptr) return signal;
  std::vector<std::string_view> names;
  for (const SignalDef& known : context.catalog.all()) names.push_back(known.name);
  std::string hint = DidYouMean(node.text, names);
  if (hint.empty()) hint = "signals.yaml lists all; your own signals.yaml may add some";
  context.faults.Add(node, fmt::format("dead signal: \"{}\" is not in the catalog", node.text),
                     std::move(hint));
  return nullptr;
}

}  // namespace firstword::dialect
