#include "exposition/page_dump.h"

#include <fmt/format.h>

namespace firstword::exposition {

std::string DumpPage(const Page& page) {
  std::string out;
  const auto line = [&](std::string text) { out += text + "\n"; };
  for (const Family& family : page.families()) {
    line(fmt::format("family {} {}{}{}", family.name, FamilyTypeName(family.type),
                     family.unit.empty() ? "" : fmt::format(" unit={}", family.unit),
                     family.help.empty() ? "" : fmt::format(" help={:?}", family.help)));
  }
  for (std::size_t i = 0; i < page.series().size(); ++i) {
    const Series& series = page.series()[i];
    std::string labels;
    for (const LabelView& label : series.labels) {
      labels += fmt::format("{}{}={:?}", labels.empty() ? "" : ",", label.name, label.value);
    }
    std::string row =
        fmt::format("{}{} = {}", series.name, labels.empty() ? "" : fmt::format("{{{}}}", labels),
                    page.values()[i]);
    if (!page.timestamps().empty() && page.timestamps()[i] != Page::kNoTimestamp) {
      row += fmt::format(" @{}", page.timestamps()[i]);
    }
    if (series.family != kNoFamily)
      row += fmt::format(" of {}", page.families()[series.family].name);
    line(std::move(row));
  }
  for (const Fault& fault : page.faults()) {
    line(fmt::format("fault {}:{} {}", fault.line, fault.column, fault.message));
  }
  if (page.fault_count() > page.faults().size()) line(fmt::format("faults {}", page.fault_count()));
  if (page.duplicate_count() > 0) line(fmt::format("duplicates {}", page.duplicate_count()));
  if (!page.complete()) line("incomplete");
  return out;
}

}  // namespace firstword::exposition
