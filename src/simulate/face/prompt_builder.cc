#include "simulate/face/prompt_builder.h"

#include <cstring>
#include <utility>

namespace firstword::simulate {
namespace {

// Tokens given as ids are never the same as tokens of text.
constexpr std::uint64_t kGivenToken = std::uint64_t{1} << 40;
constexpr std::uint64_t kShortToken = std::uint64_t{1} << 32;  // times its bytes
constexpr std::uint64_t kBeginning = std::uint64_t{1} << 41;

std::uint64_t Mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

}  // namespace

void PromptBuilder::AppendText(std::string_view text) {
  while (!text.empty() && byte_count_ != 0) {
    bytes_ |= std::uint32_t{static_cast<unsigned char>(text.front())} << (8 * byte_count_);
    text.remove_prefix(1);
    if (++byte_count_ == kTokenBytes) AddBytes();
  }
  while (text.size() >= kTokenBytes) {
    for (std::uint32_t i = 0; i < kTokenBytes; ++i) {
      bytes_ |= std::uint32_t{static_cast<unsigned char>(text[i])} << (8 * i);
    }
    byte_count_ = kTokenBytes;
    AddBytes();
    text.remove_prefix(kTokenBytes);
  }
  for (const char c : text) {
    bytes_ |= std::uint32_t{static_cast<unsigned char>(c)} << (8 * byte_count_++);
  }
}

void PromptBuilder::AppendToken(std::uint32_t id) {
  if (byte_count_ != 0) AddBytes();
  Add(kGivenToken | id);
}

std::vector<PromptPart> PromptBuilder::Finish() {
  if (byte_count_ != 0) AddBytes();
  if (parts_.empty() && part_tokens_ == 0) Add(kBeginning);
  if (part_tokens_ != 0) EndPart();
  return std::move(parts_);
}

void PromptBuilder::AddBytes() {
  Add(kShortToken * (kTokenBytes - byte_count_) | bytes_);
  bytes_ = 0;
  byte_count_ = 0;
}

void PromptBuilder::Add(std::uint64_t token) {
  hash_ = Mix(hash_ + 0x9e3779b97f4a7c15ULL + token);
  if (ids_ != nullptr) {
    const bool given = (token & kGivenToken) != 0;
    ids_->push_back(
        static_cast<std::uint32_t>(given ? token & 0xffffffff : Mix(token) % kVocabulary));
  }
  if (++part_tokens_ == kPartTokens) EndPart();
}

void PromptBuilder::EndPart() {
  parts_.push_back({.text = hash_, .offset = 0, .tokens = part_tokens_});
  part_tokens_ = 0;
}

}  // namespace firstword::simulate
