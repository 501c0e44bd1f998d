#include "dialect/load_alternative.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace firstword::dialect {
namespace {

using Op = Alternative::Op;

constexpr std::string_view kPopulations[] = {
    "all", "finished", "succeeded", "first_token", "streaming", "nonstreaming", "steps", "unknown",
};

struct Form {
  std::string_view key;
  Op op;
  std::size_t min_parts;
};
constexpr Form kForms[] = {
    {"series", Op::kOne, 1},    {"add", Op::kAdd, 1},           {"subtract", Op::kSubtract, 2},
    {"divide", Op::kDivide, 2}, {"multiply", Op::kMultiply, 2}, {"union", Op::kUnion, 1},
};

// Reads the parts of one signal's alternative.
class PartReader {
 public:
  PartReader(const SignalDef& signal, const DialectContext& context)
      : signal_(signal), context_(context) {
    for (const std::string_view label : FamilyLabels(signal.family)) labels_.push_back(label);
    for (const std::string& label : signal.labels) labels_.push_back(label);
  }

  Part ReadPart(const yaml::Node& node, Op op) {
    if (node.kind != yaml::Node::Kind::kMap) {
      Part part;
      part.series = ReadSelector(node, SelectorUse::kSource, context_);
      return part;
    }
    yaml::Fields fields(node, "a part",
                        {"series", "unit", "labels", "constants", "value_from_labels", "bag",
                         "optional", "zero_when", "ignore"},
                        context_.faults);
    return ReadPartFields(fields, "series", op);
  }

  // The part's keys out of a map that may hold others.
  Part ReadPartFields(yaml::Fields& fields, std::string_view name_key, Op op) {
    Part part;
    if (const yaml::Node* series = fields.Require(name_key)) {
      part.series = ReadSelector(*series, SelectorUse::kSource, context_);
    }
    ReadUnit(fields, op, part);
    ReadLabels(fields, part);
    part.value_from_labels = fields.Texts("value_from_labels");
    part.bag = fields.Bool("bag");
    part.optional = fields.Bool("optional");
    if (part.optional && op != Op::kAdd) {
      context_.faults.Add(*fields.Find("optional"), "only a part of \"add\" can be optional");
    }
    if (const yaml::Node* zero = fields.Find("zero_when")) {
      part.zero_when = ReadSelector(*zero, SelectorUse::kSource, context_);
    }
    if (const yaml::Node* ignore = fields.Find("ignore")) {
      for (const yaml::Node& item : ReadItems(*ignore, "\"ignore\"", context_.faults)) {
        part.ignore.push_back(ReadNumber(item, "a value of \"ignore\"", context_.faults));
      }
    }
    return part;
  }

  // `_count` counts requests whatever the signal's unit is.
  Part ReadCountPart(const yaml::Node& node) {
    Part part = ReadPart(node, Op::kMultiply);
    part.scale = 1;
    return part;
  }

 private:
  void ReadUnit(yaml::Fields& fields, Op op, Part& part) {
    const yaml::Node* node = fields.Find("unit");
    if (node == nullptr) return;
    part.unit = fields.Text("unit");
    if (!IsUnit(part.unit)) {
      context_.faults.Add(*node, fmt::format("unknown unit \"{}\"", part.unit),
                          fmt::format("units: {}", fmt::join(UnitWords(), ", ")));
      return;
    }
    if (const std::optional<double> scale = UnitScale(part.unit, signal_.unit)) {
      part.scale = *scale;
    } else if (op == Op::kMultiply || op == Op::kDivide) {
      part.scale = BaseScale(part.unit);  // the product has the signal's unit, not each factor
    } else {
      context_.faults.Add(*node,
                          fmt::format("unit \"{}\" does not convert to \"{}\", the unit of {}",
                                      part.unit, signal_.unit, signal_.name),
                          "give the unit the engine exports, or map another signal");
    }
  }

  void ReadLabels(yaml::Fields& fields, Part& part) {
    if (const yaml::Node* rules = fields.Find("labels")) {
      part.labels = ReadLabelRules(*rules, labels_, context_);
    }
    const yaml::Node* constants = fields.Find("constants");
    if (constants == nullptr || !ExpectMap(*constants, "\"constants\"", context_.faults)) return;
    for (std::size_t i = 0; i < constants->keys.size(); ++i) {
      const yaml::Node& key = constants->keys[i];
      if (std::ranges::find(labels_, key.text) == labels_.end()) {
        context_.faults.Add(key, fmt::format("{} has no label \"{}\"", signal_.name, key.text),
                            fmt::format("its labels: {}", fmt::join(labels_, ", ")));
      }
      part.constants.emplace(key.text,
                             ReadText(constants->items[i], "a constant", context_.faults));
    }
  }

  const SignalDef& signal_;
  const DialectContext& context_;
  std::vector<std::string_view> labels_;
};

// The keys of the forms in the map, in file order.
std::vector<std::string_view> FormsOf(const yaml::Node& node) {
  std::vector<std::string_view> forms;
  bool has_totals = false;
  for (const yaml::Node& key : node.keys) {
    if (key.text == "sum" || key.text == "count") {
      if (!std::exchange(has_totals, true)) forms.push_back(key.text);
    } else if (key.text == "histogram" ||
               std::ranges::find(kForms, key.text, &Form::key) != std::end(kForms)) {
      forms.push_back(key.text);
    }
  }
  return forms;
}

void ReadParts(yaml::Fields& fields, const Form& form, PartReader& parts, Alternative& alternative,
               yaml::Faults& faults) {
  const yaml::Node& list = *fields.Find(form.key);
  for (const yaml::Node& item : ReadItems(list, fmt::format("\"{}\"", form.key), faults)) {
    alternative.parts.push_back(parts.ReadPart(item, form.op));
  }
  if (alternative.parts.size() < form.min_parts) {
    faults.Add(list, fmt::format("\"{}\" needs {} parts", form.key, form.min_parts));
  }
  if (form.op == Op::kDivide && alternative.parts.size() > 2) {
    faults.Add(list, "\"divide\" takes two parts");
  }
}

void ReadPopulation(yaml::Fields& fields, Alternative& alternative, yaml::Faults& faults) {
  const yaml::Node* node = fields.Find("population");
  if (node == nullptr) {
    faults.Add(fields.node(), "a histogram needs its \"population\": which requests it covers",
               fmt::format("one of {}; \"unknown\" is honest", fmt::join(kPopulations, ", ")));
    return;
  }
  alternative.population = fields.Text("population");
  if (std::ranges::find(kPopulations, alternative.population) == std::end(kPopulations)) {
    faults.Add(*node, fmt::format("unknown population \"{}\"", alternative.population),
               fmt::format("one of {}", fmt::join(kPopulations, ", ")));
  }
}

// The keys beside the form.
void ReadConditionsAndNotes(yaml::Fields& fields, const DialectContext& context,
                            Alternative& alternative) {
  if (const yaml::Node* guard = fields.Find("guard")) {
    alternative.guard = ReadSelector(*guard, SelectorUse::kCondition, context);
  }
  alternative.versions = ReadVersions(fields, context);
  alternative.note = fields.Text("note");
}

void ReadHistogramForm(const yaml::Node& node, std::string_view form, PartReader& parts,
                       const DialectContext& context, Alternative& alternative) {
  alternative.is_histogram = true;
  if (form == "histogram") {
    yaml::Fields fields(node, "a histogram",
                        {"histogram", "unit", "labels", "constants", "bag", "population", "guard",
                         "since", "until", "note"},
                        context.faults);
    alternative.parts.push_back(parts.ReadPartFields(fields, "histogram", Op::kOne));
    ReadPopulation(fields, alternative, context.faults);
    ReadConditionsAndNotes(fields, context, alternative);
    return;
  }
  yaml::Fields fields(node, "a histogram of sum and count",
                      {"sum", "count", "population", "guard", "since", "until", "note"},
                      context.faults);
  if (const yaml::Node* sum = fields.Find("sum")) alternative.sum = parts.ReadPart(*sum, Op::kOne);
  if (const yaml::Node* count = fields.Find("count")) {
    alternative.count = parts.ReadCountPart(*count);
  }
  ReadPopulation(fields, alternative, context.faults);
  ReadConditionsAndNotes(fields, context, alternative);
}

void ReadPlainForm(const yaml::Node& node, const Form& form, PartReader& parts,
                   const DialectContext& context, Alternative& alternative) {
  alternative.op = form.op;
  if (form.op == Op::kOne) {
    yaml::Fields fields(node, "an alternative",
                        {"series", "unit", "labels", "constants", "value_from_labels", "bag",
                         "optional", "zero_when", "ignore", "guard", "since", "until", "note"},
                        context.faults);
    alternative.parts.push_back(parts.ReadPartFields(fields, "series", form.op));
    ReadConditionsAndNotes(fields, context, alternative);
    return;
  }
  yaml::Fields fields(node, fmt::format("an alternative with \"{}\"", form.key),
                      {form.key, "guard", "since", "until", "note"}, context.faults);
  ReadParts(fields, form, parts, alternative, context.faults);
  ReadConditionsAndNotes(fields, context, alternative);
}

}  // namespace

std::span<const std::string_view> PopulationWords() { return kPopulations; }

Alternative ReadAlternative(const yaml::Node& node, const SignalDef& signal,
                            const DialectContext& context) {
  Alternative alternative;
  alternative.line = node.line;
  PartReader parts(signal, context);
  const bool wants_histogram = signal.type == SignalType::kHistogram;
  const std::string histogram_hint = "write {histogram: family} or {sum: ..., count: ...}";
  if (node.kind == yaml::Node::Kind::kScalar) {
    if (wants_histogram) {
      context.faults.Add(node, fmt::format("{} is a histogram", signal.name), histogram_hint);
    }
    alternative.parts.push_back(parts.ReadPart(node, Op::kOne));
    return alternative;
  }
  if (!ExpectMap(node, "an alternative", context.faults)) return alternative;
  const std::vector<std::string_view> forms = FormsOf(node);
  if (forms.empty()) {
    // A mistyped form is the likely cause, so name the nearest key first.
    CheckKeys(node, "an alternative",
              {"series",
               "add",
               "subtract",
               "multiply",
               "divide",
               "union",
               "histogram",
               "sum",
               "count",
               "unit",
               "labels",
               "constants",
               "value_from_labels",
               "bag",
               "optional",
               "zero_when",
               "ignore",
               "population",
               "guard",
               "since",
               "until",
               "note"},
              context.faults);
    context.faults.Add(node, "an alternative needs a source",
                       "one of series, add, subtract, multiply, divide, union, histogram, sum and "
                       "count");
    return alternative;
  }
  if (forms.size() > 1) {
    context.faults.Add(
        node,
        fmt::format("an alternative has one form, found \"{}\" and \"{}\"", forms[0], forms[1]),
        "make two alternatives of it");
    return alternative;
  }
  const auto plain = std::ranges::find(kForms, forms[0], &Form::key);
  if (plain == std::end(kForms)) {
    if (!wants_histogram) {
      context.faults.Add(
          node,
          fmt::format("{} is a {}, not a histogram", signal.name, SignalTypeName(signal.type)),
          "write {series: name}");
    }
    ReadHistogramForm(node, forms[0], parts, context, alternative);
  } else {
    if (wants_histogram) {
      context.faults.Add(node, fmt::format("{} is a histogram", signal.name), histogram_hint);
    }
    ReadPlainForm(node, *plain, parts, context, alternative);
  }
  return alternative;
}

}  // namespace firstword::dialect
