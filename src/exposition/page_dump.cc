#include "exposition/page_dump.h"

#include <fmt/format.h>

#include <iterator>

namespace firstword::exposition {
namespace {

void AppendLabels(std::span<const LabelView> labels, std::string* out) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    fmt::format_to(std::back_inserter(*out), "{}{}={:?}", i == 0 ? '{' : ',', labels[i].name,
                   labels[i].value);
  }
  if (!labels.empty()) *out += '}';
}

}  // namespace

std::string DumpPage(const Page& page, DumpLines lines) {
  std::string out;
  const auto add = [&]<typename... T>(fmt::format_string<T...> format, T&&... args) {
    fmt::format_to(std::back_inserter(out), format, std::forward<T>(args)...);
  };
  const auto add_line = [&](std::uint32_t line) {
    if (lines == DumpLines::kYes) add(" on {}", line);
    out += '\n';
  };
  for (const Family& family : page.families()) {
    add("family {} {}", family.name, FamilyTypeName(family.type));
    if (!family.unit.empty()) add(" unit={}", family.unit);
    if (!family.help.empty()) add(" help={:?}", family.help);
    add_line(family.line);
  }
  for (std::size_t i = 0; i < page.series().size(); ++i) {
    const Series& series = page.series()[i];
    out += series.name;
    AppendLabels(series.labels, &out);
    add(" = {}", page.values()[i]);
    if (!page.timestamps().empty() && page.timestamps()[i] != Page::kNoTimestamp) {
      add(" @{}", page.timestamps()[i]);
    }
    if (series.family != kNoFamily) add(" of {}", page.families()[series.family].name);
    add_line(series.line);
  }
  for (const Fault& fault : page.faults()) {
    add("fault {}:{} {}\n", fault.line, fault.column, fault.message);
  }
  if (page.fault_count() > page.faults().size()) add("faults {}\n", page.fault_count());
  if (page.duplicate_count() > 0) add("duplicates {}\n", page.duplicate_count());
  if (!page.complete()) out += "incomplete\n";
  return out;
}

}  // namespace firstword::exposition
