#include "exposition/fault_list.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "exposition/printable.h"

namespace firstword::exposition {
namespace {

constexpr std::size_t kMaxMessageBytes = 300;

}  // namespace

void FaultList::Add(Fault fault) {
  ++count_;
  if (room_ == 0) return;
  --room_;
  fault.message = Printable(fault.message, kMaxMessageBytes);
  faults_.push_back(std::move(fault));
}

std::vector<Fault> FaultList::TakeInPageOrder() {
  std::sort(faults_.begin(), faults_.end(), [](const Fault& a, const Fault& b) {
    return std::tie(a.line, a.column, a.message) < std::tie(b.line, b.column, b.message);
  });
  if (faults_.size() > max_) faults_.resize(max_);
  return std::move(faults_);
}

}  // namespace firstword::exposition
