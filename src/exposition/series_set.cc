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

template <typename Word>
std::uint64_t Load(const char* at) {
  Word word;
  std::memcpy(&word, at, sizeof(word));
  return word;
}

// Words of fixed size, the last ones overlapping: names and values are short, and a copy of
// variable length would cost more than the hash.
std::uint64_t HashOf(std::string_view text) {
  const char* at = text.data();
  const std::size_t size = text.size();
  std::uint64_t hash = size;
  if (size >= 8) {
    const char* const last = at + size - 8;
    for (; at < last; at += 8) hash = Mix(hash, Load<std::uint64_t>(at));
    return Mix(hash, Load<std::uint64_t>(last));
  }
  if (size >= 4) {
    return Mix(hash, Load<std::uint32_t>(at) | Load<std::uint32_t>(at + size - 4) << 32);
  }
  if (size == 0) return hash;
  return Mix(hash, Load<std::uint8_t>(at) | Load<std::uint8_t>(at + size / 2) << 8 |
                       Load<std::uint8_t>(at + size - 1) << 16);
}

// The order of labels does not matter: their hashes are added.
std::uint64_t HashOf(const Series& series) {
  std::uint64_t hash = HashOf(series.name);
  for (const LabelView& label : series.labels) hash += Mix(HashOf(label.name), HashOf(label.value));
  return hash;
}

bool SameLabels(std::span<const LabelView> a, std::span<const LabelView> b) {
  constexpr auto kSame = [](const LabelView& x, const LabelView& y) {
    return x.name == y.name && x.value == y.value;
  };
  if (std::equal(a.begin(), a.end(), b.begin(), b.end(), kSame)) return true;
  if (a.size() != b.size()) return false;
  const auto sorted = [](std::span<const LabelView> labels) {
    std::vector<LabelView> copy(labels.begin(), labels.end());
    std::sort(copy.begin(), copy.end(),
              [](const LabelView& x, const LabelView& y) { return x.name < y.name; });
    return copy;
  };
  const std::vector<LabelView> x = sorted(a);
  const std::vector<LabelView> y = sorted(b);
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), kSame);
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
