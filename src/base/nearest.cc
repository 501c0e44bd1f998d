#include "base/nearest.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace firstword {
namespace {

// Levenshtein's distance.
std::size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

constexpr std::size_t kLongestWord = 100;  // nobody mistypes more than that by hand

}  // namespace

std::string DidYouMean(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.size() > kLongestWord) return "";
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = Distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  if (best.empty()) return "";
  return "did you mean \"" + std::string(best) + "\"?";
}

}  // namespace firstword
