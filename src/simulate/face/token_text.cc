#include "simulate/face/token_text.h"

#include <array>

namespace firstword::simulate {
namespace {

constexpr auto kWords = std::to_array<std::string_view>({
    " the",     " a",      " of",    " and",   " to",    " in",      " is",      " that",
    " for",     " with",   " as",    " on",    " by",    " it",      " from",    " at",
    " be",      " this",   " can",   " an",    " are",   " or",      " which",   " each",
    " one",     " when",   " more",  " its",   " time",  " value",   " first",   " result",
    " same",    " case",   " way",   " point", " part",  " number",  " model",   " data",
    " step",    " word",   " line",  " order", " list",  " small",   " large",   " simple",
    " system",  " work",   " needs", " gives", " takes", " shows",   " keeps",   " holds",
    " between", " before", " after", " under", " every", " another", " because", " instead",
});
constexpr auto kBeginnings = std::to_array<std::string_view>({
    " The",
    " A",
    " In",
    " This",
    " It",
    " For",
    " With",
    " Each",
    " When",
    " One",
    " As",
    " On",
    " That",
    " Every",
    " To",
    " By",
});

std::uint64_t Scramble(std::uint64_t x) {
  x *= 0x9e3779b97f4a7c15ULL;
  x ^= x >> 32;
  x *= 0xbf58476d1ce4e5b9ULL;
  return x ^ (x >> 29);
}

}  // namespace

std::string_view TokenText(std::uint64_t seed, std::uint32_t index) {
  const std::uint32_t sentence = 8 + static_cast<std::uint32_t>(seed % 9);
  const std::uint32_t position = index % sentence;
  if (position + 1 == sentence) return ".";
  const std::uint64_t drawn = Scramble(seed + index);
  if (position != 0) return kWords[drawn % kWords.size()];
  std::string_view word = kBeginnings[drawn % kBeginnings.size()];
  if (index == 0) word.remove_prefix(1);
  return word;
}

void AppendTokenTexts(std::string& out, std::uint64_t seed, std::uint32_t begin,
                      std::uint32_t end) {
  for (std::uint32_t index = begin; index < end; ++index) out += TokenText(seed, index);
}

}  // namespace firstword::simulate
