#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dialect/catalog.h"
#include "dialect/dialect.h"

namespace firstword::dialect {

// All dialects, checked. Immutable after load, so any thread may read it.
class Registry {
 public:
  // No dialects, over the catalog of one signals file's text.
  [[nodiscard]] static Result<Registry> WithCatalog(std::string_view yaml,
                                                    std::string_view file_name);
  // The dialects built into the program. Cannot fail on a released build: a test
  // loads them.
  [[nodiscard]] static Result<Registry> LoadBuiltin();
  // The built-in ones, then every *.yaml of `directory` in name order: a dialect
  // of a known name replaces it, a new name is added; signals.yaml there adds
  // signals. Every fault is an error with file:line:column (an unknown key, a
  // signal that is not in the catalog, a unit that does not fit it, a bad
  // selector, a part without series ...).
  [[nodiscard]] static Result<Registry> Load(const std::filesystem::path& directory);

  // In order of precedence, then name.
  [[nodiscard]] std::span<const Dialect> dialects() const { return dialects_; }
  [[nodiscard]] const Dialect* Find(std::string_view name) const;
  [[nodiscard]] const Catalog& catalog() const { return *catalog_; }

  // Checks and adds one dialect file's text; a known name is replaced.
  // Invalidates pointers to dialects.
  [[nodiscard]] Result<void> AddYaml(std::string_view yaml, std::string_view file_name);

 private:
  struct NamedText {
    std::string_view name;
    std::string_view content;
  };
  static Result<Registry> LoadWith(std::span<const NamedText> more_catalogs);
  void Add(Dialect dialect);

  std::unique_ptr<Catalog> catalog_;  // on the heap: dialects point into it
  std::vector<Dialect> dialects_;
};

}  // namespace firstword::dialect
