#include <algorithm>
#include <array>
#include <utility>

#include "base/nearest.h"
#include "dialect/catalog.h"
#include "dialect/exports/export_fields.h"

namespace firstword::dialect {
namespace {

constexpr std::array<std::string_view, 5> kTypes = {"counter", "gauge", "histogram", "summary",
                                                    "untyped"};
constexpr std::array<std::string_view, 3> kPers = {"rank", "replica", "gpu"};

bool IsFamilyName(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':';
  };
  return !name.empty() && is_letter(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

bool IsDistribution(ExportType type) {
  return type == ExportType::kHistogram || type == ExportType::kSummary;
}

void CheckValue(const yaml::Node& node, const ExportFamily& family, const ExportValue& value,
                yaml::Faults& faults) {
  if (!IsDistribution(family.type) || !value.quantity.empty() || value.number == 0) return;
  faults.Add(node, fmt::format("a {} cannot be a number", ExportTypeName(family.type)),
             "name a quantity, or write 0 for one without observations");
}

ExportRow ReadRow(const yaml::Node& node, const yaml::Node* family_value,
                  const ExportFamily& family, yaml::Faults& faults) {
  yaml::Fields fields(node, "a row", {"labels", "value", "since", "until"}, faults);
  ExportRow row;
  if (const yaml::Node* labels = fields.Find("labels")) {
    row.labels = ReadExportLabels(*labels, "\"labels\"", faults);
  }
  const yaml::Node* value = fields.Find("value");
  if (value == nullptr) value = family_value;
  if (value == nullptr) {
    faults.Add(node, "a row needs the key \"value\", or its family does");
    return row;
  }
  row.value = ReadExportValue(*value, faults);
  CheckValue(*value, family, row.value, faults);
  row.versions = ReadRange(fields, faults);
  return row;
}

void ReadRows(yaml::Fields& fields, ExportFamily& family, yaml::Faults& faults) {
  const yaml::Node* value = fields.Find("value");
  if (const yaml::Node* rows = fields.Find("rows")) {
    for (const yaml::Node& node : yaml::ReadItems(*rows, "\"rows\"", faults)) {
      family.rows.push_back(ReadRow(node, value, family, faults));
    }
  } else if (value != nullptr) {
    family.rows.push_back({.labels = {}, .value = ReadExportValue(*value, faults), .versions = {}});
    CheckValue(*value, family, family.rows.back().value, faults);
  } else {
    faults.Add(fields.node(), fmt::format("family \"{}\" has no value", family.name),
               "add \"value\" or \"rows\", or \"not_simulated\" with a reason");
  }
}

// A name of `sets`, or a list of its own.
Choices<BucketList> ReadFamilyBuckets(const yaml::Node& node, std::span<const BucketSet> sets,
                                      yaml::Faults& faults) {
  if (node.kind != yaml::Node::Kind::kScalar) return ReadBuckets(node, "\"buckets\"", faults);
  const auto at = std::ranges::find(sets, node.text, &BucketSet::name);
  if (at != sets.end()) return at->lists;
  std::vector<std::string_view> names;
  for (const BucketSet& set : sets) names.push_back(set.name);
  faults.Add(node, fmt::format("no \"buckets\" are named \"{}\"", node.text),
             DidYouMean(node.text, names));
  return {};
}

void ReadShape(yaml::Fields& fields, std::span<const BucketSet> sets, ExportFamily& family,
               yaml::Faults& faults) {
  if (const yaml::Node* type = fields.Require("type")) {
    family.type = static_cast<ExportType>(yaml::ReadWord(*type, "\"type\"", kTypes, faults));
  }
  if (const yaml::Node* per = fields.Find("per")) {
    family.per = static_cast<Per>(yaml::ReadWord(*per, "\"per\"", kPers, faults));
  }
  family.unit = fields.Text("unit");
  if (!family.unit.empty() && !IsUnit(family.unit)) {
    const std::vector<std::string_view> units = UnitWords();
    faults.Add(*fields.Find("unit"), fmt::format("\"{}\" is no unit", family.unit),
               fmt::format("known units: {}", fmt::join(units, " ")));
  }
  const yaml::Node* buckets = fields.Find("buckets");
  const bool is_histogram = family.type == ExportType::kHistogram;
  if (buckets != nullptr && is_histogram) {
    family.buckets = ReadFamilyBuckets(*buckets, sets, faults);
  } else if ((buckets != nullptr) != is_histogram) {
    faults.Add(buckets == nullptr ? fields.node() : *buckets,
               is_histogram ? fmt::format("histogram \"{}\" needs the key \"buckets\"", family.name)
                            : fmt::format("a {} has no \"buckets\"", ExportTypeName(family.type)));
  }
}

void CheckName(const yaml::Node& node, std::string_view name, bool may_be_open,
               yaml::Faults& faults) {
  std::string_view plain = name;
  if (may_be_open && plain.ends_with('*')) plain.remove_suffix(1);
  if (!IsFamilyName(plain)) {
    faults.Add(node, fmt::format("\"{}\" cannot be the name of a family", name),
               "use letters, digits, _ and :");
  }
}

void ReadNotSimulated(const yaml::Node& node, Export& into, yaml::Faults& faults) {
  yaml::Fields fields(node, "a family that is not simulated",
                      {"name", "not_simulated", "since", "until"}, faults);
  NotSimulated family{.name = fields.RequireText("name"),
                      .reason = fields.RequireText("not_simulated"),
                      .versions = ReadRange(fields, faults)};
  if (const yaml::Node* name = fields.Find("name")) CheckName(*name, family.name, true, faults);
  into.not_simulated.push_back(std::move(family));
}

// A family may come twice for versions that do not overlap.
void CheckTwice(const yaml::Node& node, const ExportFamily& family, const Export& into,
                yaml::Faults& faults) {
  for (const ExportFamily& other : into.families) {
    if (other.name == family.name && other.versions.Overlaps(family.versions)) {
      faults.Add(node,
                 fmt::format("family \"{}\" stands in line {} already", family.name, other.line));
    }
  }
}

}  // namespace

std::string_view ExportTypeName(ExportType type) { return kTypes[static_cast<std::size_t>(type)]; }

bool NotSimulated::Covers(std::string_view family, const Version& version) const {
  if (!InRange(versions, version)) return false;
  if (name.ends_with('*')) return family.starts_with(name.substr(0, name.size() - 1));
  return family == name;
}

void ReadFamily(const yaml::Node& node, std::span<const BucketSet> sets, Per default_per,
                Export& into, yaml::Faults& faults) {
  if (node.Find("not_simulated") != nullptr) return ReadNotSimulated(node, into, faults);
  yaml::Fields fields(
      node, "a family",
      {"name", "type", "help", "since", "until", "per", "labels", "extra_labels", "value", "unit",
       "buckets", "created", "from_first", "rows", "not_simulated"},
      faults);
  ExportFamily family{.name = fields.RequireText("name"), .per = default_per, .line = node.line};
  if (const yaml::Node* name = fields.Find("name")) CheckName(*name, family.name, false, faults);
  family.help = fields.Text("help");
  family.versions = ReadRange(fields, faults);
  if (const yaml::Node* labels = fields.Find("labels")) {
    family.labels = ReadExportLabels(*labels, "\"labels\"", faults);
  }
  if (const yaml::Node* labels = fields.Find("extra_labels")) {
    family.extra_labels = ReadExportLabels(*labels, "\"extra_labels\"", faults);
  }
  ReadShape(fields, sets, family, faults);
  family.created = fields.Find("created") == nullptr || fields.Bool("created");
  family.from_first = fields.Bool("from_first");
  ReadRows(fields, family, faults);
  CheckTwice(node, family, into, faults);
  into.families.push_back(std::move(family));
}

}  // namespace firstword::dialect
