#include "dialect/document.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace firstword::dialect {
namespace {

std::string Code(std::string_view text) {
  // A '|' would end the table cell.
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return fmt::format("`{}`", escaped);
}

std::string DescribePart(const Part& part) {
  std::string out = Code(part.series.text);
  if (!part.value_from_labels.empty()) {
    out += " label";
    for (const std::string& label : part.value_from_labels) {
      out +=
          fmt::format("{}{}", &label == &part.value_from_labels.front() ? " " : " × ", Code(label));
    }
  }
  if (!part.unit.empty()) out += fmt::format(" in {}", part.unit);
  if (part.optional) out += " (if there)";
  return out;
}

std::string_view Joint(Alternative::Op op) {
  switch (op) {
    case Alternative::Op::kAdd:
      return " + ";
    case Alternative::Op::kSubtract:
      return " - ";
    case Alternative::Op::kMultiply:
      return " × ";
    case Alternative::Op::kDivide:
      return " / ";
    case Alternative::Op::kUnion:
      return " and ";
    case Alternative::Op::kOne:
      break;
  }
  return "";
}

std::string DescribeSource(const Alternative& alternative) {
  std::string out;
  for (const Part& part : alternative.parts) {
    if (!out.empty()) out += Joint(alternative.op);
    out += DescribePart(part);
  }
  if (alternative.sum) out += "sum of " + DescribePart(*alternative.sum);
  if (alternative.sum && alternative.count) out += ", ";
  if (alternative.count) out += "count of " + DescribePart(*alternative.count);
  return out;
}

void AppendSources(std::string& out, const Dialect& dialect, const Mapping& mapping) {
  for (const Alternative& alternative : mapping.alternatives) {
    std::string remark = alternative.note;
    if (alternative.guard) {
      remark = fmt::format("only beside {}{}{}", Code(alternative.guard->text),
                           remark.empty() ? "" : "; ", remark);
    }
    const bool gated = alternative.versions.min || alternative.versions.max;
    fmt::format_to(std::back_inserter(out), "| {} | {} | {} | {} | {} |\n", dialect.title,
                   DescribeSource(alternative), gated ? alternative.versions.ToString() : "",
                   alternative.population, remark);
  }
}

void AppendSignal(std::string& out, const Registry& registry, const SignalDef& signal) {
  std::string labels;
  for (const std::string& label : signal.labels) labels += fmt::format(", label `{}`", label);
  fmt::format_to(std::back_inserter(out), "\n### {}\n\n{}, {}{}. {}\n", signal.name,
                 SignalTypeName(signal.type), signal.unit, labels, signal.help);
  if (!signal.if_absent.empty()) {
    fmt::format_to(std::back_inserter(out), "Without it: {}.\n", signal.if_absent);
  }
  std::string sources;
  std::string lacking;
  for (const Dialect& dialect : registry.dialects()) {
    for (const Mapping& mapping : dialect.signals) {
      if (mapping.signal->name == signal.name) AppendSources(sources, dialect, mapping);
    }
    const auto why = dialect.absent.find(signal.name);
    if (why != dialect.absent.end()) {
      fmt::format_to(std::back_inserter(lacking), "* {}: {}\n", dialect.title, why->second);
    }
  }
  if (!sources.empty()) {
    out += "\n| dialect | source | versions | covers | remark |\n|---|---|---|---|---|\n" + sources;
  }
  if (!lacking.empty()) out += "\nAbsent:\n\n" + lacking;
}

}  // namespace

std::string SignalsMarkdown(const Registry& registry) {
  std::string out =
      "# Canonical signals and where they come from\n\n"
      "Generated from `dialects/` by `scripts/docs`; edit those files, not this page.\n"
      "A dialect's sources stand in order of precedence: the first that is present wins. `~`\n"
      "stands for the dialect's prefix.\n\n"
      "## Dialects\n\n| dialect | kind | prefixes | flavours |\n|---|---|---|---|\n";
  for (const Dialect& dialect : registry.dialects()) {
    std::string prefixes;
    for (const std::string& prefix : dialect.prefixes) {
      if (!prefix.empty()) prefixes += (prefixes.empty() ? "" : ", ") + Code(prefix);
    }
    std::string flavours;
    for (const Flavour& flavour : dialect.flavours) {
      flavours += (flavours.empty() ? "" : ", ") + flavour.name;
    }
    fmt::format_to(std::back_inserter(out), "| {} | {} | {} | {} |\n", dialect.title,
                   KindName(dialect.kind), prefixes, flavours);
  }
  std::string_view family;
  for (const SignalDef& signal : registry.catalog().all()) {
    if (signal.family != family) {
      family = signal.family;
      fmt::format_to(std::back_inserter(out), "\n## {}:\n", family);
    }
    AppendSignal(out, registry, signal);
  }
  return out;
}

}  // namespace firstword::dialect
