#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/dialect.h"
#include "promql/source.h"

namespace firstword::dialect {

// The series of one page by name, to ask for the presence of selectors. Keeps
// views into the labels, which must outlive it.
class PageIndex {
 public:
  explicit PageIndex(std::span<const promql::SharedLabels> series);

  // The raw name of a series that matches under this prefix.
  [[nodiscard]] std::optional<std::string_view> FindUnder(const Selector& selector,
                                                          std::string_view prefix) const;

  struct Hit {
    std::string_view name;    // raw
    std::string_view prefix;  // "" when the selector does not use '~'
  };
  // The same under the first of the prefixes that has one.
  [[nodiscard]] std::optional<Hit> Find(const Selector& selector,
                                        std::span<const std::string> prefixes) const;

  // True when all of `when` and none of `unless` are on the page.
  [[nodiscard]] bool Holds(std::span<const Selector> when, std::span<const Selector> unless,
                           std::span<const std::string> prefixes) const;

 private:
  // Ordered, so that open selectors find their range.
  std::map<std::string_view, std::vector<const promql::Labels*>> by_name_;
};

}  // namespace firstword::dialect
