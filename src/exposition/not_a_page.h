#pragma once

#include <string_view>

#include "base/result.h"

namespace firstword::exposition {

// What a body without a single sound sample really is, in one line with a hint:
// empty, HTML, JSON, still compressed, binary or plain text. `first_fault` is the
// parser's first complaint, if it got that far.
[[nodiscard]] Error DescribeNonPage(std::string_view body, std::string_view first_fault);

// True for bodies that are no page whatever the parser finds in them: markup, JSON,
// compressed or binary data.
[[nodiscard]] bool IsForeign(std::string_view body);

}  // namespace firstword::exposition
