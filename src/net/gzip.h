#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace firstword::net {

// Unpacks a gzip (or zlib) stream piece by piece, never past a limit: a bomb ends
// with an error as soon as it passes it, not after it filled the memory.
class Inflater {
 public:
  explicit Inflater(std::size_t max_bytes);
  ~Inflater();
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Appends what `piece` unpacks to. Fails with kLimit past the limit, with kParse on
  // broken data; the inflater is then of no further use.
  [[nodiscard]] Result<void> Feed(std::string_view piece, std::string* out);
  // After the last piece: fails with kParse when the stream is cut.
  [[nodiscard]] Result<void> Finish() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A whole gzip stream at once.
[[nodiscard]] Result<std::string> Gunzip(std::string_view data, std::size_t max_bytes);
// Packs `data`, for servers and tests.
[[nodiscard]] std::string Gzip(std::string_view data);

}  // namespace firstword::net
