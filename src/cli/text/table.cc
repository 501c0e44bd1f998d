#include "cli/text/table.h"

#include <algorithm>
#include <utility>

#include "cli/text/text.h"

namespace firstword::cli {
namespace {

constexpr std::size_t kGap = 2;

void TrimRight(std::string& line) { line.erase(line.find_last_not_of(' ') + 1); }

}  // namespace

void Table::AddRow(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  rows_.push_back({std::move(cells), {}});
}

void Table::AddNote(std::string text) { rows_.back().notes.push_back(std::move(text)); }

std::vector<std::size_t> Table::ContentWidths() const {
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) widths.push_back(DisplayWidth(column.title));
  for (const Row& row : rows_) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], DisplayWidth(row.cells[i]));
    }
  }
  return widths;
}

std::size_t Table::LongestWord() const {
  std::size_t longest = 0;
  for (const Row& row : rows_) {
    std::string_view rest = row.cells.back();
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      longest = std::max(longest, DisplayWidth(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return longest;
}

void Table::AppendRow(std::string& out, const std::vector<std::string>& cells,
                      const std::vector<std::size_t>& widths, const Paint& paint,
                      bool title) const {
  std::vector<std::string> last = Wrap(cells.back(), std::max<std::size_t>(widths.back(), 1));
  for (std::size_t line_number = 0; line_number < last.size(); ++line_number) {
    std::string line(kGap, ' ');
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const bool is_last = i + 1 == columns_.size();
      const std::string text = is_last ? last[line_number] : line_number == 0 ? cells[i] : "";
      const std::string padded = columns_[i].align == Align::kRight ? PadLeft(text, widths[i])
                                 : is_last                          ? text
                                                                    : PadRight(text, widths[i]);
      const Ink ink = title ? Ink::kDim : columns_[i].ink;
      line += text.empty() ? padded : paint(ink, padded);
      if (!is_last) line.append(kGap, ' ');
    }
    TrimRight(line);
    out += line + "\n";
  }
}

std::string Table::Render(const Paint& paint, std::size_t width) const {
  std::vector<std::size_t> widths = ContentWidths();
  std::size_t used = kGap;
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) used += widths[i] + kGap;
  const std::size_t left = width > used ? width - used : 0;
  const bool below = left < widths.back() && left < LongestWord();
  widths.back() = below ? 0 : std::min(widths.back(), left);

  std::string out;
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  if (std::any_of(titles.begin(), titles.end(), [](const auto& t) { return !t.empty(); })) {
    AppendRow(out, titles, widths, paint, true);
  }
  for (const Row& row : rows_) {
    std::vector<std::string> cells = row.cells;
    std::vector<std::string> notes = row.notes;
    if (below && !cells.back().empty()) {
      notes.insert(notes.begin(), std::exchange(cells.back(), {}));
    }
    AppendRow(out, cells, widths, paint, false);
    for (const std::string& note : notes) {
      for (const std::string& line : Wrap(note, width - 3 * kGap)) {
        out += std::string(2 * kGap, ' ') + paint(Ink::kDim, line) + "\n";
      }
    }
  }
  return out;
}

}  // namespace firstword::cli
