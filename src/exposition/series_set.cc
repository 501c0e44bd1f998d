#include "exposition/series_set.h"

#include <algorithm>
#include <cstring>

namespace firstword::exposition {
namespace {

std::uint64_t Mix(std::uint64_t a, std::uint64_t b) {
  const auto product =
      static_cast<unsigned __int128>(a ^ 0x9e3779b97f4a7c15u) * (b ^ 0xd6e8feb86659fd93u);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t HashOf(std::string_view text) {
  std::uint64_t hash = text.size();
  while (text.size() >= 8) {
    std::uint64_t word;
    std::memcpy(&word, text.data(), 8);
    hash = Mix(hash, word);
    text.remove_prefix(8);
  }
  std::uint64_t rest = 0;
  std::memcpy(&rest, text.data(), text.size());
  return Mix(hash, rest);
}

// The order of labels does not matter: their hashes are added.
std::uint64_t HashOf(const Series& series) {
  std::uint64_t hash = HashOf(series.name);
  for (const LabelView& label : series.labels) hash += Mix(HashOf(label.name), HashOf(label.value));
  return hash;
}

bool SameLabels(std::span<const LabelView> a, std::span<const LabelView> b) {
  if (a.size() != b.size()) return false;
  return std::all_of(a.begin(), a.end(), [&](const LabelView& wanted) {
    return std::any_of(b.begin(), b.end(), [&](const LabelView& label) {
      return label.name == wanted.name && label.value == wanted.value;
    });
  });
}

}  // namespace

std::optional<std::uint32_t> SeriesSet::Insert(const Series& series,
                                               std::span<const Series> series_so_far) {
  if (2 * used_ >= slots_.size()) Grow();
  const std::uint64_t hash = HashOf(series);
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  for (; slots_[at].index_plus_one != 0; at = (at + 1) & mask) {
    if (slots_[at].hash != hash) continue;
    const std::uint32_t index = slots_[at].index_plus_one - 1;
    const Series& other = series_so_far[index];
    if (other.name == series.name && SameLabels(other.labels, series.labels)) return index;
  }
  slots_[at] = {hash, static_cast<std::uint32_t>(series_so_far.size()) + 1};
  ++used_;
  return std::nullopt;
}

void SeriesSet::Grow() {
  std::vector<Slot> bigger(slots_.size() * 4);
  const std::size_t mask = bigger.size() - 1;
  for (const Slot& slot : slots_) {
    if (slot.index_plus_one == 0) continue;
    std::size_t at = slot.hash & mask;
    while (bigger[at].index_plus_one != 0) at = (at + 1) & mask;
    bigger[at] = slot;
  }
  slots_ = std::move(bigger);
}

}  // namespace firstword::exposition
