#include "dialect/exports/page_spec.h"

#include <algorithm>

namespace firstword::dialect {
namespace {

// The first answer for this version; where none is, the last that began before it.
template <typename T>
const T* Choose(const Choices<T>& choices, const Version& version) {
  for (const Versioned<T>& choice : choices) {
    if (InRange(choice.versions, version)) return &choice.value;
  }
  return nullptr;
}

// Lists that leave a version out are a mistake that must not cost the page its buckets.
const BucketList* ChooseBuckets(const Choices<BucketList>& lists, const Version& version) {
  const BucketList* chosen = Choose(lists, version);
  return chosen == nullptr && !lists.empty() ? &lists.back().value : chosen;
}

std::vector<double> OneTwoFive(std::uint32_t size) {
  std::vector<double> bounds;
  for (double decade = 1; decade <= size; decade *= 10) {
    for (const double factor : {1, 2, 5}) {
      if (factor * decade <= size) bounds.push_back(factor * decade);
    }
  }
  return bounds;
}

std::vector<double> Bounds(const BucketList& list, const PageSizes& sizes) {
  if (list.one_two_five.empty()) return list.bounds;
  if (list.one_two_five == "max_model_len") return OneTwoFive(sizes.max_model_len);
  if (list.one_two_five == "max_num_seqs") return OneTwoFive(sizes.max_num_seqs);
  return OneTwoFive(sizes.max_num_batched_tokens);
}

// Later labels win over earlier ones of the same name.
void AddLabels(const ExportLabels& labels, const Version& version, std::vector<PageLabel>& into) {
  for (const ExportLabel& label : labels) {
    const LabelText* text = Choose(label.values, version);
    if (text == nullptr) continue;
    const auto at = std::ranges::find(into, label.name, &PageLabel::name);
    if (at != into.end()) {
      at->value = *text;
    } else {
      into.push_back({label.name, *text});
    }
  }
}

bool SortsLabels(Writer writer) {
  return writer != Writer::kOpenMetrics && writer != Writer::kPlain;
}

bool HasCreated(const ExportFamily& family, Writer writer) {
  return writer == Writer::kPython && family.created && family.type != ExportType::kGauge &&
         family.type != ExportType::kUntyped;
}

int HistogramIndex(const PageFamily& family, const ExportValue& value, PageSpec& spec) {
  if (family.type != ExportType::kHistogram || value.quantity.empty()) return -1;
  const auto at = std::ranges::find_if(spec.histograms, [&](const PageHistogram& known) {
    return known.quantity == value.quantity && known.unit == family.unit &&
           known.bounds == family.bounds;
  });
  const auto index = at - spec.histograms.begin();
  if (at == spec.histograms.end()) {
    spec.histograms.push_back({value.quantity, family.unit, family.bounds});
  }
  return static_cast<int>(index);
}

PageRow ResolveRow(const ExportRow& row, const ExportFamily& family, const Export& page,
                   const Version& version, Writer writer) {
  PageRow resolved{.labels = {}, .value = row.value, .histogram = -1};
  AddLabels(family.labels ? *family.labels : page.labels, version, resolved.labels);
  AddLabels(family.extra_labels, version, resolved.labels);
  AddLabels(row.labels, version, resolved.labels);
  if (SortsLabels(writer)) std::ranges::sort(resolved.labels, {}, &PageLabel::name);
  return resolved;
}

bool NamesRank(const PageRow& row) {
  return std::ranges::any_of(row.labels, [](const PageLabel& label) {
    const auto& pieces = label.value.pieces;
    return std::ranges::find(pieces, Variable::kRank, &LabelText::Piece::variable) != pieces.end();
  });
}

}  // namespace

PageSpec Resolve(const Export& page, const Version& version, const PageSizes& sizes) {
  PageSpec spec{.dialect = page.dialect,
                .engine = page.engine,
                .version = version.ToString(),
                .path = page.path,
                .port = page.port,
                .gauges_with_output = page.gauges_with_output,
                .rename = page.rename};
  if (const Writer* writer = Choose(page.writer, version)) spec.writer = *writer;
  for (const ExportFamily& family : page.families) {
    if (!InRange(family.versions, version)) continue;
    PageFamily resolved{.name = family.name,
                        .help = family.help,
                        .type = family.type,
                        .per = family.per,
                        .unit = family.unit,
                        .created = HasCreated(family, spec.writer),
                        .from_first = family.from_first};
    if (const BucketList* list = ChooseBuckets(family.buckets, version)) {
      resolved.bounds = Bounds(*list, sizes);
    }
    for (const ExportRow& row : family.rows) {
      if (!InRange(row.versions, version)) continue;
      resolved.rows.push_back(ResolveRow(row, family, page, version, spec.writer));
      resolved.rows.back().histogram = HistogramIndex(resolved, row.value, spec);
    }
    // Rows of several ranks would be one series: such a build adds its ranks up.
    if (family.per == Per::kRank && !std::ranges::all_of(resolved.rows, NamesRank)) {
      resolved.per = Per::kReplica;
    }
    if (!resolved.rows.empty()) spec.families.push_back(std::move(resolved));
  }
  return spec;
}

}  // namespace firstword::dialect
