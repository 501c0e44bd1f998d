#pragma once

#include <cstdint>

#include "simulate/engine/request.h"

namespace firstword::simulate {

// Who waits for the tokens of one request and gets them when they are due; not after
// OnEnd, and not after the request was aborted.
class TokenListener {
 public:
  virtual ~TokenListener() = default;

  // `count` more tokens.
  virtual void OnTokens(std::uint32_t count) = 0;
  // The request ended, after the last OnTokens. kError: the engine died under it.
  virtual void OnEnd(const RequestRecord& record) = 0;
};

}  // namespace firstword::simulate
