#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace firstword::exposition {

enum class Format : std::uint8_t { kText, kOpenMetrics };

enum class FamilyType : std::uint8_t {
  kUnknown,  // no TYPE line, or untyped
  kCounter,
  kGauge,
  kHistogram,
  kSummary,
  kGaugeHistogram,
  kInfo,
  kStateSet,
};

// The word used in a TYPE line: "counter", "unknown", ...
[[nodiscard]] std::string_view FamilyTypeName(FamilyType type);

struct LabelView {
  std::string_view name;
  std::string_view value;  // unescaped
};

// One metric family as its metadata lines declare it.
struct Family {
  std::string_view name;  // as in the TYPE line
  std::string_view help;  // unescaped
  std::string_view unit;  // OpenMetrics only
  FamilyType type = FamilyType::kUnknown;
  std::uint32_t line = 0;  // 1-based line of the first metadata line or sample
};

inline constexpr std::uint32_t kNoFamily = 0xffffffff;

// One series of the page: a sample name and its labels in page order.
struct Series {
  std::string_view name;
  std::span<const LabelView> labels;
  std::uint32_t family = kNoFamily;  // index into Page::families(), if declared
  std::uint32_t line = 0;            // 1-based
};

// Something on the page that is not as the format demands.
struct Fault {
  std::uint32_t line = 0;    // 1-based
  std::uint32_t column = 0;  // 1-based, in bytes
  std::string message;       // one line, without position
};

// The parsed page. All views point into storage of the PageParser that owns it
// and stay valid until its next Parse().
class Page {
 public:
  // Equal ids mean: the same series at the same index, so that a reader who
  // resolved names once need not look at them again. Never 0.
  [[nodiscard]] std::uint64_t layout_id() const { return layout_id_; }

  [[nodiscard]] std::span<const Series> series() const { return series_; }
  // values()[i] belongs to series()[i].
  [[nodiscard]] std::span<const double> values() const { return values_; }
  // Milliseconds since 1970 of each sample, or empty when no sample has one.
  // kNoTimestamp marks the samples without.
  [[nodiscard]] std::span<const std::int64_t> timestamps() const { return timestamps_; }
  [[nodiscard]] std::span<const Family> families() const { return families_; }

  // The first faults in page order (at most ParserOptions::max_faults) and how
  // many there were in all.
  [[nodiscard]] std::span<const Fault> faults() const { return faults_; }
  [[nodiscard]] std::size_t fault_count() const { return fault_count_; }
  // Samples dropped because a series of the same name and labels came before.
  [[nodiscard]] std::size_t duplicate_count() const { return duplicate_count_; }
  // False when an OpenMetrics page lacks its closing "# EOF", or a text page
  // stops in the middle of a line: the page was probably cut.
  [[nodiscard]] bool complete() const { return complete_; }

  static constexpr std::int64_t kNoTimestamp = INT64_MIN;

 private:
  friend class PageParser;
  friend class PageReader;

  std::uint64_t layout_id_ = 0;
  std::vector<Series> series_;
  std::vector<double> values_;
  std::vector<std::int64_t> timestamps_;
  std::vector<Family> families_;
  std::vector<Fault> faults_;
  std::size_t fault_count_ = 0;
  std::size_t duplicate_count_ = 0;
  bool complete_ = true;
};

}  // namespace firstword::exposition
