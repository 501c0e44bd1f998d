#pragma once

#include <compare>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace firstword::promql {

inline constexpr std::string_view kMetricName = "__name__";

struct Label {
  std::string name;
  std::string value;
  friend auto operator<=>(const Label&, const Label&) = default;
};

// The identity of a series: labels sorted by name, names unique, no empty
// values (a label with an empty value is the same as none). The metric name is
// the label __name__.
class Labels {
 public:
  Labels() = default;
  Labels(std::initializer_list<Label> labels);
  // Of two pairs with one name the last one wins.
  explicit Labels(std::vector<Label> labels);

  // "" when the label is absent.
  [[nodiscard]] std::string_view Get(std::string_view name) const;
  [[nodiscard]] bool Has(std::string_view name) const { return !Get(name).empty(); }
  [[nodiscard]] std::string_view metric_name() const { return Get(kMetricName); }
  [[nodiscard]] std::span<const Label> all() const { return labels_; }
  [[nodiscard]] bool empty() const { return labels_.empty(); }

  // An empty value removes the label.
  void Set(std::string_view name, std::string_view value);
  void Remove(std::string_view name) { Set(name, {}); }

  [[nodiscard]] std::size_t Hash() const;
  // name{a="b",c="d"}, as PromQL writes it.
  [[nodiscard]] std::string ToString() const;

  friend auto operator<=>(const Labels&, const Labels&) = default;

 private:
  std::vector<Label> labels_;
};

struct LabelsHash {
  std::size_t operator()(const Labels& labels) const { return labels.Hash(); }
};

}  // namespace firstword::promql
