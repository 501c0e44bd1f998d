#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "simulate/engine/request.h"

namespace firstword::simulate {

// Cuts what a client sent into tokens, without a tokenizer's vocabulary: four bytes are one.
// Prompts with the same beginning get the same parts for it, in steps of kPartTokens, so that
// the engine's prefix cache finds in real text what a real one would find.
class PromptBuilder {
 public:
  static constexpr std::uint32_t kPartTokens = 16;  // one block of vLLM's cache
  static constexpr std::uint32_t kTokenBytes = 4;
  static constexpr std::uint32_t kVocabulary = 150'000;

  // `ids`, if not null, gets an id for each token; it must live until Finish().
  explicit PromptBuilder(std::vector<std::uint32_t>* ids = nullptr) : ids_(ids) {}

  // Where one text ends and the next begins leaves no trace.
  void AppendText(std::string_view text);
  // A token that the client cut itself.
  void AppendToken(std::uint32_t id);
  // At least one token. The builder must not be used afterwards.
  [[nodiscard]] std::vector<PromptPart> Finish();

 private:
  void Add(std::uint64_t token);
  void AddBytes();
  void EndPart();

  std::vector<std::uint32_t>* ids_;
  std::vector<PromptPart> parts_;
  std::uint64_t hash_ = 0;  // of everything so far
  std::uint32_t part_tokens_ = 0;
  std::uint32_t bytes_ = 0;  // the last of the text, not yet a token
  std::uint32_t byte_count_ = 0;
};

}  // namespace firstword::simulate
