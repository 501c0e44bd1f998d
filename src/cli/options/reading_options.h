#pragma once

#include <chrono>
#include <string>

#include "base/result.h"
#include "cli/options/command.h"
#include "dialect/registry.h"
#include "signals/report.h"

namespace firstword::cli {

// How to read a page: the user's own dialects and what users were promised.
struct ReadingOptions {
  std::string dialects_directory;
  std::chrono::milliseconds slo_ttft{2000};
  std::chrono::milliseconds slo_itl{100};

  [[nodiscard]] signals::ReportOptions report() const;
  // The dialects built in, and those of the directory.
  [[nodiscard]] Result<dialect::Registry> LoadDialects() const;
};

// The options that fill `options`, which must stay where it is.
[[nodiscard]] OptionGroup ReadingOptionGroup(ReadingOptions& options);

}  // namespace firstword::cli
