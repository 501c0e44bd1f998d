#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dialect/catalog.h"
#include "dialect/version.h"
#include "promql/matcher.h"

// What one dialects/*.yaml file says, after it was checked. docs/dialects.md
// explains the file format key by key; the names here are the keys there.

namespace firstword::dialect {

enum class Kind : std::uint8_t { kEngine, kGateway, kGpu };
[[nodiscard]] std::string_view KindName(Kind kind);

// A raw selector as written: a metric name, whose leading '~' stands for one of
// the dialect's prefixes and whose trailing '*' for "any ending", and matchers
// on labels (the name is not among them).
struct Selector {
  std::string name;  // "~num_requests_running", "nv_inference_*"
  std::vector<promql::Matcher> matchers;
  std::string text;  // as in the file

  [[nodiscard]] bool uses_prefix() const { return name.starts_with('~'); }
  [[nodiscard]] bool is_open() const { return name.ends_with('*'); }
  // The raw name (or, when open, its beginning) under one prefix.
  [[nodiscard]] std::string NameUnder(std::string_view prefix) const;
};

// What becomes of one exporter label.
struct LabelRule {
  enum class Role : std::uint8_t {
    kTo,      // becomes the canonical label `to`, through `table` if there is one
    kCopies,  // series that differ only here repeat one value: the greatest is taken
    kShares,  // series that differ only here are parts: they are added
  };
  Role role = Role::kShares;
  std::string to;
  std::map<std::string, std::string> table;
  // For values missing in the table: this value, or themselves when absent.
  std::optional<std::string> otherwise;
  bool as_address = false;  // "http_//10.0.0.7_30000" and "http://h:1/" become "host:port"
};
using LabelRules = std::map<std::string, LabelRule, std::less<>>;

// One raw series family as a term of an alternative.
struct Part {
  Selector series;
  LabelRules labels;                             // on top of the dialect's
  std::map<std::string, std::string> constants;  // canonical labels to add
  double scale = 1;                              // from the source's unit to the signal's
  std::string unit;                              // the source's unit
  std::vector<std::string> value_from_labels;    // value = product of these labels' numbers
  bool bag = false;                   // its unlisted scraped labels are not identity: drop them
  bool optional = false;              // a sum may do without it
  std::optional<Selector> zero_when;  // absent here but this is present: 0
  std::vector<double> ignore;         // values that mean "no value"
};

// One way to get a signal. The first alternative present at a replica and time wins.
struct Alternative {
  enum class Op : std::uint8_t { kOne, kAdd, kSubtract, kMultiply, kDivide, kUnion };
  Op op = Op::kOne;
  std::vector<Part> parts;  // one for kOne and for `histogram`

  // Histogram signals: either one raw histogram family (parts[0] names it without
  // suffix), or _sum and _count from two unrelated series.
  bool is_histogram = false;
  std::optional<Part> sum;
  std::optional<Part> count;

  std::optional<Selector> guard;  // applies only where this is on the same page
  VersionRange versions;          // since / until: builds that export it
  std::string population;         // histograms: "all", "finished", "streaming", ...
  std::string note;               // a caution to show with the value
  int line = 0;                   // in the file, for messages
};

struct Mapping {
  const SignalDef* signal = nullptr;
  std::vector<Alternative> alternatives;
};

// A build or a way of exporting; the first whose conditions hold names the page.
struct Flavour {
  std::string name;
  std::string title;
  std::vector<Selector> when;    // all must be on the page
  std::vector<Selector> unless;  // none may be
};

// What the presence of a series says about the version.
struct VersionHint {
  Selector present;
  std::vector<Selector> unless;
  VersionRange versions;
};

// A fault the engine (or its exporter) is known for, worth a finding when seen.
struct KnownFault {
  std::string code;      // snake_case, stable: scripts read it
  std::string severity;  // "info" or "warning"
  std::string text;
  std::string source;            // where it is reported
  std::vector<Selector> when;    // all must be on the page
  std::vector<Selector> unless;  // none may be
  // A check in code that must say yes as well (signals/findings.h); may be empty.
  std::string check;
  std::string signal;     // the signal it makes doubtful; may be empty
  VersionRange versions;  // builds that have it
};

struct Dialect {
  std::string name;     // "vllm"
  std::string title;    // "vLLM"
  std::string backend;  // value of the canonical label `backend`
  Kind kind = Kind::kEngine;
  int precedence = 0;                 // of several dialects on one page the lowest comes first
  std::vector<std::string> prefixes;  // spellings of '~', in order; {""} when unused
  std::vector<Selector> detect;       // any of these on the page
  std::vector<Selector> detect_unless;
  std::vector<std::string> replica_from;  // raw labels; the first non-empty one becomes `replica`
  LabelRules labels;
  std::vector<Flavour> flavours;
  std::vector<VersionHint> versions;
  std::vector<Mapping> signals;
  std::map<std::string, std::string> absent;  // signal -> why this engine lacks it, what to do
  std::vector<KnownFault> faults;
  std::string file;  // where it came from, for messages
};

}  // namespace firstword::dialect
