#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "exposition/page.h"

namespace firstword::exposition {

// Collects the faults of one page: counts all, keeps the first `max` in page order.
class FaultList {
 public:
  explicit FaultList(std::size_t max) : max_(max), room_(max) {}

  // The message may quote anything that stands on the page.
  void Add(Fault fault);
  // Faults come in page order only within one pass over the page.
  void StartPass() { room_ = max_; }

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::vector<Fault> TakeInPageOrder();

 private:
  const std::size_t max_;
  std::size_t room_;
  std::size_t count_ = 0;
  std::vector<Fault> faults_;
};

}  // namespace firstword::exposition
