#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "exposition/page.h"

namespace firstword::exposition {

// Finds series that stand on a page twice, whatever the order of their labels.
class SeriesSet {
 public:
  // Remembers `series` under the index series_so_far.size(), or returns the index of
  // the equal one that is already there.
  std::optional<std::uint32_t> Insert(const Series& series, std::span<const Series> series_so_far);

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t index_plus_one = 0;  // 0: free
  };
  void Grow();

  std::vector<Slot> slots_ = std::vector<Slot>(1024);  // a power of two, at most half full
  std::size_t used_ = 0;
};

}  // namespace firstword::exposition
