#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "dialect/exports/exports.h"

namespace firstword::dialect {

// Sizes that bucket lists follow.
struct PageSizes {
  std::uint32_t max_model_len = 0;
  std::uint32_t max_num_seqs = 0;
  std::uint32_t max_num_batched_tokens = 0;
};

struct PageLabel {
  std::string name;
  LabelText value;
};

struct PageRow {
  std::vector<PageLabel> labels;  // in the order they are printed
  ExportValue value;
  int histogram = -1;  // index into PageSpec::histograms; -1: no buckets, or empty ones
};

struct PageFamily {
  std::string name;
  std::string help;
  ExportType type = ExportType::kGauge;
  Per per = Per::kRank;  // kReplica, too, where no label tells ranks apart
  std::string unit;
  bool created = false;  // followed by a family of _created series
  bool from_first = false;
  std::vector<double> bounds;  // of a histogram, as printed; without +Inf
  std::vector<PageRow> rows;
};

// One distribution in one set of buckets, which somebody has to count.
struct PageHistogram {
  std::string quantity;
  std::string unit;            // of the bounds; empty: the quantity's own
  std::vector<double> bounds;  // without +Inf
};

// The page of one version of one engine, ready to be filled with numbers.
struct PageSpec {
  std::string dialect;
  std::string engine;
  std::string version;
  Writer writer = Writer::kPython;
  std::string path;
  std::uint16_t port = 0;
  bool gauges_with_output = false;
  std::vector<std::pair<std::string, std::string>> rename;
  std::vector<PageFamily> families;
  std::vector<PageHistogram> histograms;  // each one once
};

// What `page` prints at `version`, which need not be one of its list.
[[nodiscard]] PageSpec Resolve(const Export& page, const Version& version, const PageSizes& sizes);

}  // namespace firstword::dialect
