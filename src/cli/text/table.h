#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/text/paint.h"

namespace firstword::cli {

// Aligned columns of text. Columns are as wide as their content; what does not fit into
// the width is wrapped in the last column, or, where even its words do not fit, goes
// below its row.
class Table {
 public:
  enum class Align { kLeft, kRight };
  struct Column {
    std::string title;
    Align align = Align::kLeft;
    Ink ink = Ink::kPlain;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // As many cells as columns, or fewer.
  void AddRow(std::vector<std::string> cells);
  // A faint line below the last row, over the whole width.
  void AddNote(std::string text);
  [[nodiscard]] bool empty() const { return rows_.empty(); }

  // Lines end in '\n' and begin with two blanks. Titles are left out when all are empty.
  [[nodiscard]] std::string Render(const Paint& paint, std::size_t width) const;

 private:
  struct Row {
    std::vector<std::string> cells;
    std::vector<std::string> notes;
  };

  [[nodiscard]] std::vector<std::size_t> ContentWidths() const;
  [[nodiscard]] std::size_t LongestWord() const;  // of the last column
  void AppendRow(std::string& out, const std::vector<std::string>& cells,
                 const std::vector<std::size_t>& widths, const Paint& paint, bool title) const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

}  // namespace firstword::cli
