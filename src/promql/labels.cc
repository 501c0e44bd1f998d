#include "promql/labels.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace firstword::promql {
namespace {

auto Position(auto& labels, std::string_view name) {
  return std::lower_bound(labels.begin(), labels.end(), name,
                          [](const Label& label, std::string_view n) { return label.name < n; });
}

void AppendQuoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  out += '"';
}

}  // namespace

Labels::Labels(std::initializer_list<Label> labels) : Labels(std::vector<Label>(labels)) {}

Labels::Labels(std::vector<Label> labels) : labels_(std::move(labels)) {
  const auto by_name = [](const Label& a, const Label& b) { return a.name < b.name; };
  // Most callers hand them over sorted already. An insertion sort is stable, and a
  // series has few labels.
  for (std::size_t i = 1; i < labels_.size(); ++i) {
    if (!by_name(labels_[i], labels_[i - 1])) continue;
    const auto end = labels_.begin() + static_cast<std::ptrdiff_t>(i);
    std::rotate(std::upper_bound(labels_.begin(), end, *end, by_name), end, end + 1);
  }
  // Keep the last of each run of equal names, then drop the empty ones.
  std::size_t kept = 0;
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    if (i + 1 < labels_.size() && labels_[i + 1].name == labels_[i].name) continue;
    if (labels_[i].value.empty()) continue;
    if (kept != i) labels_[kept] = std::move(labels_[i]);
    ++kept;
  }
  labels_.resize(kept);
}

std::string_view Labels::Get(std::string_view name) const {
  const auto at = Position(labels_, name);
  return at != labels_.end() && at->name == name ? std::string_view(at->value) : std::string_view();
}

void Labels::Set(std::string_view name, std::string_view value) {
  const auto at = Position(labels_, name);
  const bool found = at != labels_.end() && at->name == name;
  if (value.empty()) {
    if (found) labels_.erase(at);
  } else if (found) {
    at->value = value;
  } else {
    labels_.insert(at, Label{std::string(name), std::string(value)});
  }
}

std::size_t Labels::Hash() const {
  std::size_t hash = 0x9e3779b97f4a7c15u;
  for (const Label& label : labels_) {
    hash = (hash ^ std::hash<std::string_view>{}(label.name)) * 0x100000001b3u;
    hash = (hash ^ std::hash<std::string_view>{}(label.value)) * 0x100000001b3u;
  }
  return hash;
}

std::string Labels::ToString() const {
  std::string out(metric_name());
  bool open = false;
  for (const Label& label : labels_) {
    if (label.name == kMetricName) continue;
    out += open ? ',' : '{';
    open = true;
    out += label.name;
    out += '=';
    AppendQuoted(out, label.value);
  }
  if (open) out += '}';
  if (out.empty()) out = "{}";
  return out;
}

}  // namespace firstword::promql
