#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "dialect/exports/label_text.h"
#include "dialect/version.h"

// What the section `exports` of a dialect file says, after it was checked: whole pages of
// engines and exporters, of every version. docs/dialects.md explains it key by key; the
// names here are the keys there. PageSpec is the same for one version.

namespace firstword::dialect {

// How numbers and lines look, see docs/dialects.md.
enum class Writer : std::uint8_t { kPython, kPythonMultiprocess, kOpenMetrics, kCpp, kGo, kPlain };

enum class ExportType : std::uint8_t { kCounter, kGauge, kHistogram, kSummary, kUntyped };
// The word of a TYPE line: "counter".
[[nodiscard]] std::string_view ExportTypeName(ExportType type);

enum class Per : std::uint8_t { kRank, kReplica, kGpu };

// One of several answers, for these versions.
template <typename T>
struct Versioned {
  T value{};
  VersionRange versions;
};
template <typename T>
using Choices = std::vector<Versioned<T>>;

struct ExportLabel {
  std::string name;
  Choices<LabelText> values;  // none fits: no such label
};
using ExportLabels = std::vector<ExportLabel>;

// A quantity of the simulator, or a number where `quantity` is empty.
struct ExportValue {
  std::string quantity;
  double number = 0;
};

struct BucketList {
  std::vector<double> bounds;  // ascending, finite
  std::string one_two_five;    // instead: 1 2 5 10 ... up to this size ("max_model_len")
};
struct BucketSet {
  std::string name;
  Choices<BucketList> lists;
};

struct ExportRow {
  ExportLabels labels;
  ExportValue value;
  VersionRange versions;
};

struct ExportFamily {
  std::string name;
  ExportType type = ExportType::kGauge;
  std::string help;
  VersionRange versions;
  Per per = Per::kRank;
  std::optional<ExportLabels> labels;  // instead of the export's
  ExportLabels extra_labels;
  std::string unit;             // of what is printed; empty: the quantity's own
  Choices<BucketList> buckets;  // of a histogram
  bool created = true;
  bool from_first = false;
  std::vector<ExportRow> rows;  // at least one
  int line = 0;                 // in the file, for messages
};

// A family that real pages may have and the simulator's never do.
struct NotSimulated {
  std::string name;  // may end in '*'
  std::string reason;
  VersionRange versions;

  [[nodiscard]] bool Covers(std::string_view family, const Version& version) const;
};

struct Export {
  std::string dialect;  // of the file
  std::string engine;   // "vllm-rust"
  std::string title;
  std::vector<Version> versions;  // ascending; the last is the default
  Choices<Writer> writer;
  std::string path;
  std::uint16_t port = 0;  // 0: not said
  // Gauges move only with a step that gives something out: see StepReport::silent.
  bool gauges_with_output = false;
  ExportLabels labels;
  std::vector<std::pair<std::string, std::string>> rename;  // from, to
  std::vector<ExportFamily> families;
  std::vector<NotSimulated> not_simulated;
};

// Reads the section `exports` of one dialect file; empty when it has none. The rest of the
// file is not looked at, and value names are not checked: this library does not know the
// simulator. Fails with kParse at the first fault, as "file:line:column: what is wrong".
[[nodiscard]] Result<std::vector<Export>> LoadExports(std::string_view yaml,
                                                      std::string_view file_name);

[[nodiscard]] bool InRange(const VersionRange& range, const Version& version);

}  // namespace firstword::dialect
