#include "dialect/canonical_names.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace firstword::dialect {
namespace {

using Component = Catalog::Component;
using promql::Matcher;
using promql::MatchOp;

bool BeginsWithFamily(std::string_view text) {
  if (text.starts_with('^')) text.remove_prefix(1);
  for (const std::string_view family : {"llm:", "gpu:", "gateway:"}) {
    if (!text.starts_with(family)) continue;
    const std::string_view rest = text.substr(family.size());
    // "llm:?" may match a name without the colon.
    return rest.empty() || std::string_view("?*{+").find(rest.front()) == std::string_view::npos;
  }
  return false;
}

// Every branch of the outermost alternation begins with a family.
bool AllBranchesBeginWithFamily(std::string_view pattern) {
  int depth = 0;
  bool in_class = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\') {
      ++i;
    } else if (in_class) {
      in_class = c != ']';
    } else if (c == '[') {
      in_class = true;
    } else if (c == '(') {
      ++depth;
    } else if (c == ')') {
      --depth;
    } else if (c == '|' && depth == 0) {
      if (!BeginsWithFamily(pattern.substr(begin, i - begin))) return false;
      begin = i + 1;
    }
  }
  return BeginsWithFamily(pattern.substr(begin));
}

bool IsCanonical(const Matcher& matcher) {
  if (matcher.name() != promql::kMetricName) return false;
  if (matcher.op() == MatchOp::kEqual) return BeginsWithFamily(matcher.value());
  return matcher.op() == MatchOp::kRegex && AllBranchesBeginWithFamily(matcher.value());
}

}  // namespace

std::optional<std::vector<WantedSignal>> WantedSignals(std::span<const Matcher> matchers,
                                                       const Catalog& catalog) {
  if (std::ranges::none_of(matchers, IsCanonical)) return std::nullopt;
  std::vector<WantedSignal> wanted;
  for (const SignalDef& signal : catalog.all()) {
    WantedSignal one{.signal = &signal, .components = {}};
    const bool is_histogram = signal.type == SignalType::kHistogram;
    for (const Component component :
         {Component::kValue, Component::kBucket, Component::kSum, Component::kCount}) {
      if ((component == Component::kValue) == is_histogram) continue;
      const std::string name = SeriesNameOf(signal, component);
      one.components[static_cast<std::size_t>(component)] =
          std::ranges::all_of(matchers, [&](const Matcher& matcher) {
            return matcher.name() != promql::kMetricName || matcher.Matches(name);
          });
    }
    if (std::ranges::find(one.components, true) != one.components.end()) wanted.push_back(one);
  }
  return wanted;
}

}  // namespace firstword::dialect
