#include "dialect/alternative_rows.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace firstword::dialect {
namespace {

using Component = Catalog::Component;
using Op = Alternative::Op;
using promql::IsSample;
using promql::IsStale;

double Apply(Op op, double a, double b) {
  switch (op) {
    case Op::kSubtract:
      return a - b;
    case Op::kMultiply:
      return a * b;
    case Op::kDivide:
      return b == 0 ? promql::kNoSample : a / b;
    case Op::kOne:
    case Op::kAdd:
    case Op::kUnion:
      break;
  }
  return a + b;
}

void Note(PartColumn& into, const PartColumn& from) {
  for (const std::string& name : from.series) {
    if (std::ranges::find(into.series, name) == into.series.end()) into.series.push_back(name);
  }
  into.copies = std::max(into.copies, from.copies);
  into.dropped.insert(into.dropped.end(), from.dropped.begin(), from.dropped.end());
}

const PartColumn* FindLabels(const std::vector<PartColumn>& columns, const promql::Labels& labels) {
  const auto at = std::ranges::find(columns, labels, &PartColumn::labels);
  return at == columns.end() ? nullptr : &*at;
}

// a op b, row by row.
void Combine(Op op, PartColumn& a, const PartColumn& b, bool b_is_optional) {
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    double& value = a.values[i];
    const double other = b.values[i];
    if (IsSample(value) && IsSample(other)) {
      value = Apply(op, value, other);
    } else if (!IsSample(other) && !b_is_optional) {
      value = IsStale(value) || IsStale(other) ? promql::kStale : promql::kNoSample;
    }
  }
  Note(a, b);
}

// Parts joined by equal labels; all must be there but the optional ones.
std::vector<PartColumn> Join(const Alternative& alternative, const PartContext& context) {
  // A sum may begin with an optional part; the required ones lead.
  std::vector<const Part*> parts;
  for (const bool optional : {false, true}) {
    for (const Part& part : alternative.parts) {
      if (part.optional == optional) parts.push_back(&part);
    }
  }

  std::vector<PartColumn> result = ReadPartRows(*parts.front(), "", PartUse::kValue, context);
  for (std::size_t i = 1; i < parts.size() && !result.empty(); ++i) {
    const std::vector<PartColumn> more = ReadPartRows(*parts[i], "", PartUse::kValue, context);
    std::erase_if(result, [&](PartColumn& column) {
      const PartColumn* other = FindLabels(more, column.labels);
      if (other != nullptr) Combine(alternative.op, column, *other, parts[i]->optional);
      return other == nullptr && !parts[i]->optional;
    });
  }
  return result;
}

std::vector<PartColumn> Unite(const Alternative& alternative, const PartContext& context) {
  std::vector<PartColumn> result;
  for (const Part& part : alternative.parts) {
    for (PartColumn& column : ReadPartRows(part, "", PartUse::kValue, context)) {
      const auto same = std::ranges::find(result, column.labels, &PartColumn::labels);
      if (same == result.end()) {
        result.push_back(std::move(column));
        continue;
      }
      for (std::size_t i = 0; i < column.values.size(); ++i) {
        if (!IsSample(same->values[i]) && IsSample(column.values[i])) {
          same->values[i] = column.values[i];
        }
      }
      Note(*same, column);
    }
  }
  return result;
}

void Take(std::vector<PartColumn> columns, Component component,
          std::vector<AlternativeColumn>& out) {
  for (PartColumn& column : columns) out.push_back({component, std::move(column)});
}

std::vector<AlternativeColumn> ReadHistogram(const Alternative& alternative,
                                             const PartContext& context) {
  std::vector<AlternativeColumn> out;
  if (!alternative.parts.empty()) {
    const Part& family = alternative.parts.front();
    Take(ReadPartRows(family, "_count", PartUse::kCount, context), Component::kCount, out);
    Take(ReadPartRows(family, "_sum", PartUse::kSum, context), Component::kSum, out);
    Take(ReadPartRows(family, "_bucket", PartUse::kBucket, context), Component::kBucket, out);
    return out;
  }
  if (alternative.sum) {
    Take(ReadPartRows(*alternative.sum, "", PartUse::kSum, context), Component::kSum, out);
  }
  if (alternative.count) {
    Take(ReadPartRows(*alternative.count, "", PartUse::kCount, context), Component::kCount, out);
  }
  return out;
}

// A value outside the signal's bounds is none. NaN lies outside any bound.
void DropImpossible(const SignalDef& signal, PartColumn& column) {
  if (!signal.min && !signal.max) return;
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    double& value = column.values[i];
    if (!IsSample(value)) continue;
    const bool inside =
        !(signal.min && !(value >= *signal.min)) && !(signal.max && !(value <= *signal.max));
    if (inside) continue;
    column.dropped.push_back({i, value});
    value = promql::kNoSample;
  }
}

}  // namespace

std::vector<AlternativeColumn> ReadAlternativeRows(const Alternative& alternative,
                                                   const PartContext& context) {
  if (alternative.is_histogram) return ReadHistogram(alternative, context);
  std::vector<PartColumn> columns =
      alternative.op == Op::kUnion ? Unite(alternative, context) : Join(alternative, context);
  std::vector<AlternativeColumn> out;
  for (PartColumn& column : columns) {
    DropImpossible(context.signal, column);
    out.push_back({Component::kValue, std::move(column)});
  }
  return out;
}

std::vector<RawName> RawNamesOf(const Alternative& alternative, std::string_view prefix) {
  std::vector<RawName> names;
  const auto add = [&](const Part& part, bool required) {
    names.push_back({part.series.NameUnder(prefix), false, required && !part.zero_when});
    if (part.zero_when) names.push_back({part.zero_when->NameUnder(prefix), false, false});
  };
  if (alternative.is_histogram && !alternative.parts.empty()) {
    const std::string family = alternative.parts.front().series.NameUnder(prefix);
    return {{family + "_count", false, false},
            {family + "_sum", false, false},
            {family + "_bucket", true, false}};
  }
  const bool all_needed = alternative.op != Op::kUnion;
  for (const Part& part : alternative.parts) add(part, all_needed && !part.optional);
  if (alternative.sum) add(*alternative.sum, false);
  if (alternative.count) add(*alternative.count, false);
  return names;
}

bool UsesPrefix(const Alternative& alternative) {
  const auto uses = [](const Part& part) {
    return part.series.uses_prefix() || (part.zero_when && part.zero_when->uses_prefix());
  };
  return std::ranges::any_of(alternative.parts, uses) ||
         (alternative.sum && uses(*alternative.sum)) ||
         (alternative.count && uses(*alternative.count));
}

}  // namespace firstword::dialect
