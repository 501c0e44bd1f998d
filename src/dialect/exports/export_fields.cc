#include "dialect/exports/export_fields.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace firstword::dialect {
namespace {

constexpr std::array<std::string_view, 3> kSizes = {"max_model_len", "max_num_seqs",
                                                    "max_num_batched_tokens"};

std::optional<Version> ReadEnd(yaml::Fields& fields, std::string_view key, yaml::Faults& faults) {
  const std::string text = fields.Text(key);
  if (text.empty()) return std::nullopt;
  std::optional<Version> version = Version::Parse(text);
  if (!version) {
    faults.Add(*fields.Find(key), fmt::format("\"{}\" is no version: \"{}\"", key, text),
               "write it as 0.9.2, 0.4.3.post3 or 0.20.2rc1");
  }
  return version;
}

bool IsLabelName(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && is_letter(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

LabelText ReadLabelText(const yaml::Node& node, yaml::Faults& faults) {
  if (node.kind != yaml::Node::Kind::kScalar) {
    (void)yaml::ReadText(node, "a label's value", faults);
    return {};
  }
  Result<LabelText> text = LabelText::Parse(node.text);  // may be empty
  if (!text) {
    faults.Add(node, text.error().message, text.error().hint);
    return {};
  }
  return *std::move(text);
}

std::vector<double> ReadBounds(std::span<const yaml::Node> nodes, yaml::Faults& faults) {
  std::vector<double> bounds;
  for (const yaml::Node& node : nodes) {
    const double bound = yaml::ReadNumber(node, "a bound", faults);
    if (!std::isfinite(bound)) {
      faults.Add(node, "a bound must be finite", "+Inf is added to every histogram");
    }
    if (!bounds.empty() && bound <= bounds.back()) {
      faults.Add(node, fmt::format("the bound {} does not lie above {}", bound, bounds.back()),
                 "bounds must ascend");
    }
    bounds.push_back(bound);
  }
  return bounds;
}

Versioned<BucketList> ReadBucketList(const yaml::Node& node, std::string_view what,
                                     yaml::Faults& faults) {
  yaml::Fields fields(node, what, {"bounds", "one_two_five", "since", "until"}, faults);
  Versioned<BucketList> list;
  const yaml::Node* bounds = fields.Find("bounds");
  const yaml::Node* size = fields.Find("one_two_five");
  if ((bounds == nullptr) == (size == nullptr)) {
    faults.Add(node, fmt::format("{} needs either \"bounds\" or \"one_two_five\"", what));
  } else if (bounds != nullptr) {
    list.value.bounds = ReadBounds(yaml::ReadItems(*bounds, "\"bounds\"", faults), faults);
  } else {
    list.value.one_two_five = kSizes[yaml::ReadWord(*size, "\"one_two_five\"", kSizes, faults)];
  }
  list.versions = ReadRange(fields, faults);
  return list;
}

}  // namespace

VersionRange ReadRange(yaml::Fields& fields, yaml::Faults& faults) {
  VersionRange range{.min = ReadEnd(fields, "since", faults),
                     .max = ReadEnd(fields, "until", faults)};
  if (range.min && range.max && *range.min > *range.max) {
    faults.Add(*fields.Find("until"),
               fmt::format("\"until\" {} is before \"since\" {}", range.max->ToString(),
                           range.min->ToString()),
               "both ends belong to the range");
  }
  return range;
}

ExportLabels ReadExportLabels(const yaml::Node& node, std::string_view what, yaml::Faults& faults) {
  ExportLabels labels;
  if (!yaml::ExpectMap(node, what, faults)) return labels;
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    const std::string& name = node.keys[i].text;
    if (!IsLabelName(name) || name == "le") {
      faults.Add(node.keys[i], fmt::format("\"{}\" cannot be a label", name),
                 name == "le" ? "bounds come from \"buckets\"" : "use letters, digits and _");
    }
    labels.push_back({name, ReadChoices<LabelText>(
                                node.items[i], fmt::format("label \"{}\"", name), faults,
                                [&](const yaml::Node& at) { return ReadLabelText(at, faults); })});
  }
  return labels;
}

Choices<BucketList> ReadBuckets(const yaml::Node& node, std::string_view what,
                                yaml::Faults& faults) {
  Choices<BucketList> lists;
  const std::span<const yaml::Node> items = yaml::ReadItems(node, what, faults);
  if (!items.empty() && items.front().kind != yaml::Node::Kind::kMap) {
    lists.push_back({.value = {.bounds = ReadBounds(items, faults), .one_two_five = {}}});
    return lists;
  }
  for (const yaml::Node& item : items) lists.push_back(ReadBucketList(item, what, faults));
  return lists;
}

ExportValue ReadExportValue(const yaml::Node& node, yaml::Faults& faults) {
  const std::string text = yaml::ReadText(node, "\"value\"", faults);
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && at == end) return {.quantity = {}, .number = number};
  return {.quantity = text, .number = 0};
}

}  // namespace firstword::dialect
