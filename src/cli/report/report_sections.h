#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "cli/text/paint.h"
#include "signals/report.h"

// Sections of a report as text: a blank line, a heading, indented lines. Empty when there
// is nothing to say.

namespace firstword::cli {

[[nodiscard]] std::string SectionHeading(std::string_view title, std::string_view remark,
                                         const Paint& paint);
// The mean TTFT and its parts as bars.
[[nodiscard]] std::string TtftSection(const signals::TtftDecomposition& ttft, const Paint& paint,
                                      std::size_t width, bool unicode);
[[nodiscard]] std::string AbsentSection(std::span<const signals::AbsentSignal> absent,
                                        const Paint& paint, std::size_t width);
[[nodiscard]] std::string FindingsSection(std::span<const signals::Finding> findings,
                                          const Paint& paint, std::size_t width);

}  // namespace firstword::cli
