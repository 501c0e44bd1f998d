#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/text/paint.h"

namespace firstword::cli {

// A screenful of characters: what a full-screen view draws, and what its tests read.
class Grid {
 public:
  struct Cell {
    char32_t character = U' ';  // 0: the right half of a wide one
    Ink ink = Ink::kPlain;
    bool reverse = false;
  };

  Grid(std::size_t columns, std::size_t rows);

  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] const Cell& At(std::size_t column, std::size_t row) const {
    return cells_[row * columns_ + column];
  }

  // Writes from a column on; what does not fit is cut. Rows beyond the last are ignored.
  void Put(std::size_t column, std::size_t row, std::string_view text, Ink ink = Ink::kPlain);
  // The same, ending before column `end`.
  void PutRight(std::size_t end, std::size_t row, std::string_view text, Ink ink = Ink::kPlain);
  // The bar of light on the selected row.
  void Reverse(std::size_t row);

  // Lines without trailing blanks, each ended by '\n'.
  [[nodiscard]] std::string Text() const;

 private:
  std::size_t columns_;
  std::size_t rows_;
  std::vector<Cell> cells_;
};

}  // namespace firstword::cli
