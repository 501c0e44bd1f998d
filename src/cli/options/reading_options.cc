#include "cli/options/reading_options.h"

namespace firstword::cli {
namespace {

double Seconds(std::chrono::milliseconds duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

signals::ReportOptions ReadingOptions::report() const {
  return {.slo_ttft_seconds = Seconds(slo_ttft), .slo_itl_seconds = Seconds(slo_itl)};
}

Result<dialect::Registry> ReadingOptions::LoadDialects() const {
  if (dialects_directory.empty()) return dialect::Registry::LoadBuiltin();
  return dialect::Registry::Load(dialects_directory);
}

OptionGroup ReadingOptionGroup(ReadingOptions& options) {
  return {"how to read it",
          {{"--dialects", "DIR", "YAML files that add to or replace the built-in dialects", "",
            &options.dialects_directory},
           {"--slo-ttft", "DURATION", "what users were promised for the first token", "2s",
            &options.slo_ttft},
           {"--slo-itl", "DURATION", "and for the gap between tokens", "100ms", &options.slo_itl}}};
}

}  // namespace firstword::cli
