#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dialect/exports/exports.h"

namespace firstword::dialect {

// An engine as a user names it: "vllm" or "vllm:0.12".
struct ExportChoice {
  const Export* page = nullptr;
  Version version;
};

// The exports of all dialect files. Immutable after load.
class ExportCatalog {
 public:
  // Of the files built into the program. A test loads them.
  [[nodiscard]] static Result<ExportCatalog> LoadBuiltin();
  // The built-in ones, then those of every *.yaml of `directory` in name order: an engine of
  // a known name replaces it.
  [[nodiscard]] static Result<ExportCatalog> Load(const std::filesystem::path& directory);

  // By engine.
  [[nodiscard]] std::span<const Export> all() const { return exports_; }
  [[nodiscard]] const Export* Find(std::string_view engine) const;
  [[nodiscard]] std::vector<std::string_view> names() const;

  // Fails with kInvalid for an unknown engine, a version that is none and one before the
  // first of the engine's list. Later ones than the last are taken as they are: they print
  // what the last known prints.
  [[nodiscard]] Result<ExportChoice> Choose(std::string_view engine_and_version) const;

  // Checks and adds the exports of one dialect file's text. Invalidates pointers.
  [[nodiscard]] Result<void> AddYaml(std::string_view yaml, std::string_view file_name);

 private:
  std::vector<Export> exports_;
};

}  // namespace firstword::dialect
