#include "dialect/load_dialect.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

#include "dialect/dialect_fields.h"
#include "dialect/load_alternative.h"
#include "yaml/reader.h"

namespace firstword::dialect {
namespace {

constexpr std::array<std::string_view, 3> kKinds = {"engine", "gateway", "gpu"};
constexpr std::array<std::string_view, 2> kSeverities = {"info", "warning"};
constexpr int kDefaultPrecedence = 100;

bool IsWord(std::string_view text, char joiner) {
  return !text.empty() && std::ranges::all_of(text, [joiner](char c) {
    return std::islower(static_cast<unsigned char>(c)) ||
           std::isdigit(static_cast<unsigned char>(c)) || c == joiner;
  });
}

// Every label that some canonical series has.
std::vector<std::string_view> AllLabels(const Catalog& catalog) {
  std::vector<std::string_view> labels;
  for (const std::string_view family : {"llm", "gpu", "gateway"}) {
    std::ranges::copy(FamilyLabels(family), std::back_inserter(labels));
  }
  for (const SignalDef& signal : catalog.all()) {
    for (const std::string& label : signal.labels) labels.push_back(label);
  }
  std::ranges::sort(labels);
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return labels;
}

void ReadIdentity(yaml::Fields& fields, Dialect& dialect, yaml::Faults& faults) {
  dialect.name = fields.RequireText("dialect");
  if (const yaml::Node* name = fields.Find("dialect"); name && !IsWord(dialect.name, '-')) {
    faults.Add(*name, fmt::format("bad dialect name \"{}\"", dialect.name),
               "use lower case letters, digits and -");
  }
  dialect.title = fields.RequireText("title");
  dialect.backend = fields.Text("backend");
  if (dialect.backend.empty()) dialect.backend = dialect.name;
  if (const yaml::Node* kind = fields.Require("kind")) {
    dialect.kind = static_cast<Kind>(ReadWord(*kind, "\"kind\"", kKinds, faults));
  }
  dialect.precedence = kDefaultPrecedence;
  if (const yaml::Node* node = fields.Find("precedence")) {
    const double number = ReadNumber(*node, "\"precedence\"", faults);
    if (number != std::floor(number) || std::abs(number) > 1'000'000) {
      faults.Add(*node, "\"precedence\" must be a whole number");
    } else {
      dialect.precedence = static_cast<int>(number);
    }
  }
  dialect.replica_from = fields.Texts("replica_from");
}

// A prefix may be empty: some exporters drop it.
void ReadPrefixes(const yaml::Fields& fields, Dialect& dialect, yaml::Faults& faults) {
  const yaml::Node* node = fields.Find("prefixes");
  if (node == nullptr) {
    dialect.prefixes = {""};
    return;
  }
  for (const yaml::Node& item : ReadItems(*node, "\"prefixes\"", faults)) {
    if (item.kind != yaml::Node::Kind::kScalar) faults.Add(item, "a prefix must be a text");
    if (std::ranges::find(dialect.prefixes, item.text) != dialect.prefixes.end()) {
      faults.Add(item, fmt::format("prefix \"{}\" stands here twice", item.text));
    }
    dialect.prefixes.push_back(item.text);
  }
}

void ReadFlavours(const yaml::Node& node, const DialectContext& context, Dialect& dialect) {
  for (const yaml::Node& item : ReadItems(node, "\"flavours\"", context.faults)) {
    yaml::Fields fields(item, "a flavour", {"name", "title", "when", "unless"}, context.faults);
    Flavour flavour{.name = fields.RequireText("name"),
                    .title = fields.RequireText("title"),
                    .when = ReadConditions(fields, "when", context),
                    .unless = ReadConditions(fields, "unless", context)};
    if (std::ranges::find(dialect.flavours, flavour.name, &Flavour::name) !=
        dialect.flavours.end()) {
      context.faults.Add(item, fmt::format("flavour \"{}\" stands here twice", flavour.name));
    }
    dialect.flavours.push_back(std::move(flavour));
  }
}

void ReadHints(const yaml::Node& node, const DialectContext& context, Dialect& dialect) {
  for (const yaml::Node& item : ReadItems(node, "\"versions\"", context.faults)) {
    yaml::Fields fields(item, "a version hint", {"present", "unless", "since", "until"},
                        context.faults);
    VersionHint hint;
    if (const yaml::Node* present = fields.Require("present")) {
      hint.present = ReadSelector(*present, SelectorUse::kCondition, context);
    }
    hint.unless = ReadConditions(fields, "unless", context);
    hint.versions = ReadVersions(fields, context);
    if (!hint.versions.min && !hint.versions.max) {
      context.faults.Add(item, "a version hint says nothing without \"since\" or \"until\"");
    }
    dialect.versions.push_back(std::move(hint));
  }
}

void ReadMappings(const yaml::Node& node, const DialectContext& context, Dialect& dialect) {
  if (!ExpectMap(node, "\"signals\"", context.faults)) return;
  for (std::size_t i = 0; i < node.keys.size() && !context.faults.any(); ++i) {
    Mapping mapping{.signal = ReadSignalName(node.keys[i], context), .alternatives = {}};
    if (mapping.signal == nullptr) return;
    const std::string what = fmt::format("\"{}\"", node.keys[i].text);
    for (const yaml::Node& item : ReadItems(node.items[i], what, context.faults)) {
      mapping.alternatives.push_back(ReadAlternative(item, *mapping.signal, context));
    }
    dialect.signals.push_back(std::move(mapping));
  }
}

void ReadAbsent(const yaml::Node& node, const DialectContext& context, Dialect& dialect) {
  if (!ExpectMap(node, "\"absent\"", context.faults)) return;
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    ReadSignalName(node.keys[i], context);
    dialect.absent.emplace(node.keys[i].text,
                           ReadText(node.items[i], "a reason for absence", context.faults));
  }
}

void ReadFault(const yaml::Node& node, const DialectContext& context, Dialect& dialect) {
  yaml::Fields fields(
      node, "a fault",
      {"code", "severity", "text", "source", "when", "unless", "check", "signal", "since", "until"},
      context.faults);
  KnownFault fault;
  fault.code = fields.RequireText("code");
  if (const yaml::Node* code = fields.Find("code")) {
    if (!IsWord(fault.code, '_')) {
      context.faults.Add(*code, fmt::format("bad fault code \"{}\"", fault.code),
                         "use lower case letters, digits and _");
    }
    if (std::ranges::find(dialect.faults, fault.code, &KnownFault::code) != dialect.faults.end()) {
      context.faults.Add(*code, fmt::format("fault \"{}\" stands here twice", fault.code));
    }
  }
  if (const yaml::Node* severity = fields.Require("severity")) {
    fault.severity = kSeverities[ReadWord(*severity, "\"severity\"", kSeverities, context.faults)];
  }
  fault.text = fields.RequireText("text");
  fault.source = fields.Text("source");
  fault.when = ReadConditions(fields, "when", context);
  fault.unless = ReadConditions(fields, "unless", context);
  fault.check = fields.Text("check");
  fault.signal = fields.Text("signal");
  if (!fault.signal.empty()) ReadSignalName(*fields.Find("signal"), context);
  fault.versions = ReadVersions(fields, context);
  dialect.faults.push_back(std::move(fault));
}

// A line that ends the section before it: neither indented nor a comment, blank or list item.
bool BeginsSection(std::string_view line) {
  return std::string_view(" \t\r\n#-").find(line.front()) == std::string_view::npos;
}

}  // namespace

DialectSections SplitSections(std::string_view yaml) {
  DialectSections sections;
  bool in_exports = false;
  bool any = false;
  while (!yaml.empty()) {
    const std::size_t end = std::min(yaml.find('\n'), yaml.size() - 1) + 1;
    const std::string_view line = yaml.substr(0, end);
    yaml.remove_prefix(end);
    if (BeginsSection(line)) {
      in_exports = line.starts_with("exports:");
      any |= in_exports;
    }
    const bool shared = line.starts_with("dialect:") || line.starts_with("kind:");
    // An empty line keeps the place of one that the other part has.
    sections.rest += in_exports ? std::string_view("\n") : line;
    sections.exports += in_exports || shared ? line : std::string_view("\n");
  }
  if (!any) sections.exports.clear();
  return sections;
}

std::string_view KindName(Kind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

Result<Dialect> LoadDialect(std::string_view yaml, std::string_view file_name,
                            const Catalog& catalog) {
  // What engines print is three times as long as what is read here, and only simulators ask.
  const Result<yaml::Node> root = yaml::Parse(SplitSections(yaml).rest, file_name);
  if (!root) return std::unexpected(root.error());
  yaml::Faults faults(file_name);
  yaml::Fields fields(
      *root, "a dialect",
      {"dialect", "title", "kind", "backend", "precedence", "prefixes", "detect", "detect_unless",
       "replica_from", "labels", "flavours", "versions", "signals", "absent", "faults"},
      faults);
  Dialect dialect;
  dialect.file = std::string(file_name);
  ReadIdentity(fields, dialect, faults);
  ReadPrefixes(fields, dialect, faults);
  const DialectContext context{
      .catalog = catalog, .has_prefixes = fields.Find("prefixes") != nullptr, .faults = faults};
  if (fields.Require("detect") != nullptr) {
    dialect.detect = ReadConditions(fields, "detect", context);
  }
  dialect.detect_unless = ReadConditions(fields, "detect_unless", context);
  if (const yaml::Node* labels = fields.Find("labels")) {
    dialect.labels = ReadLabelRules(*labels, AllLabels(catalog), context);
  }
  if (const yaml::Node* flavours = fields.Find("flavours"))
    ReadFlavours(*flavours, context, dialect);
  if (const yaml::Node* versions = fields.Find("versions")) ReadHints(*versions, context, dialect);
  if (const yaml::Node* signals = fields.Require("signals"))
    ReadMappings(*signals, context, dialect);
  if (const yaml::Node* absent = fields.Find("absent")) ReadAbsent(*absent, context, dialect);
  if (const yaml::Node* list = fields.Find("faults")) {
    for (const yaml::Node& item : ReadItems(*list, "\"faults\"", faults)) {
      ReadFault(item, context, dialect);
    }
  }
  if (faults.any()) return std::unexpected(faults.error());
  return dialect;
}

}  // namespace firstword::dialect
