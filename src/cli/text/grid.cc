#include "cli/text/grid.h"

#include "cli/text/text.h"

namespace firstword::cli {

Grid::Grid(std::size_t columns, std::size_t rows)
    : columns_(columns), rows_(rows), cells_(columns * rows) {}

void Grid::Put(std::size_t column, std::size_t row, std::string_view text, Ink ink) {
  if (row >= rows_) return;
  while (!text.empty()) {
    const CodePoint next = DecodeUtf8(text);
    text.remove_prefix(next.bytes);
    const std::size_t width = DisplayWidth(next.value);
    if (width == 0) continue;
    if (column + width > columns_) return;
    Cell* cell = &cells_[row * columns_ + column];
    cell[0].character = next.value;
    cell[0].ink = ink;
    if (width == 2) cell[1].character = 0;
    column += width;
  }
}

void Grid::PutRight(std::size_t end, std::size_t row, std::string_view text, Ink ink) {
  const std::size_t width = DisplayWidth(text);
  if (width <= end) Put(end - width, row, text, ink);
}

void Grid::Reverse(std::size_t row) {
  if (row >= rows_) return;
  for (std::size_t column = 0; column < columns_; ++column) {
    cells_[row * columns_ + column].reverse = true;
  }
}

std::string Grid::Text() const {
  std::string out;
  for (std::size_t row = 0; row < rows_; ++row) {
    std::string line;
    for (std::size_t column = 0; column < columns_; ++column) {
      const char32_t c = At(column, row).character;
      if (c != 0) AppendUtf8(line, c);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace firstword::cli
