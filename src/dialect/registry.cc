#include "dialect/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "dialect/embedded.h"
#include "dialect/load_dialect.h"

namespace firstword::dialect {
namespace {

constexpr std::string_view kCatalogFile = "signals.yaml";

struct File {
  std::string path;  // as messages name it
  std::string content;
};

// The *.yaml files of a directory by file name.
Result<std::map<std::string, File>> ReadDirectory(const std::filesystem::path& directory) {
  std::map<std::string, File> files;
  std::error_code error;
  std::filesystem::directory_iterator entries(directory, error);
  if (error) {
    return Fail(ErrorCode::kIo,
                fmt::format("dialects directory {}: {}", directory.string(), error.message()),
                "give a readable directory with *.yaml files");
  }
  for (const std::filesystem::directory_entry& entry : entries) {
    const std::filesystem::path& path = entry.path();
    if (path.extension() != ".yaml") continue;
    std::ifstream in(path, std::ios::binary);
    std::string content{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (!in) {
      return Fail(ErrorCode::kIo, fmt::format("cannot read {}", path.string()),
                  "check that it is a file and may be read");
    }
    files.emplace(path.filename().string(), File{path.string(), std::move(content)});
  }
  return files;
}

}  // namespace

Result<Registry> Registry::WithCatalog(std::string_view yaml, std::string_view file_name) {
  Result<Catalog> catalog = Catalog::Parse(yaml, file_name);
  if (!catalog) return std::unexpected(catalog.error());
  Registry registry;
  registry.catalog_ = std::make_unique<Catalog>(*std::move(catalog));
  return registry;
}

Result<Registry> Registry::LoadBuiltin() { return LoadWith({}); }

Result<Registry> Registry::Load(const std::filesystem::path& directory) {
  Result<std::map<std::string, File>> files = ReadDirectory(directory);
  if (!files) return std::unexpected(files.error());
  // The catalog first: dialects point into it.
  std::vector<NamedText> own_catalog;
  if (const auto at = files->find(std::string(kCatalogFile)); at != files->end()) {
    own_catalog.push_back({at->second.path, at->second.content});
  }
  Result<Registry> registry = LoadWith(own_catalog);
  if (!registry) return registry;
  std::map<std::string, std::string> file_of;  // dialect -> file of this directory
  for (const auto& [name, file] : *files) {
    if (name == kCatalogFile) continue;
    Result<Dialect> dialect = LoadDialect(file.content, file.path, registry->catalog());
    if (!dialect) return std::unexpected(dialect.error());
    const auto [at, is_new] = file_of.emplace(dialect->name, file.path);
    if (!is_new) {
      return Fail(ErrorCode::kInvalid,
                  fmt::format("dialect \"{}\" stands in {} and in {}", dialect->name, at->second,
                              file.path),
                  "keep one of the two");
    }
    registry->Add(*std::move(dialect));
  }
  return registry;
}

Result<Registry> Registry::LoadWith(std::span<const NamedText> more_catalogs) {
  Registry registry;
  registry.catalog_ = std::make_unique<Catalog>();
  for (const EmbeddedFile& file : EmbeddedDialects()) {
    if (file.name != kCatalogFile) continue;
    Result<void> added = registry.catalog_->AddYaml(file.content, file.name);
    if (!added) return std::unexpected(added.error());
  }
  for (const NamedText& file : more_catalogs) {
    Result<void> added = registry.catalog_->AddYaml(file.content, file.name);
    if (!added) return std::unexpected(added.error());
  }
  for (const EmbeddedFile& file : EmbeddedDialects()) {
    if (file.name == kCatalogFile) continue;
    Result<void> added = registry.AddYaml(file.content, file.name);
    if (!added) return std::unexpected(added.error());
  }
  return registry;
}

Result<void> Registry::AddYaml(std::string_view yaml, std::string_view file_name) {
  Result<Dialect> dialect = LoadDialect(yaml, file_name, *catalog_);
  if (!dialect) return std::unexpected(dialect.error());
  Add(*std::move(dialect));
  return {};
}

void Registry::Add(Dialect dialect) {
  std::erase_if(dialects_, [&](const Dialect& known) { return known.name == dialect.name; });
  const auto before = [](const Dialect& a, const Dialect& b) {
    return std::tie(a.precedence, a.name) < std::tie(b.precedence, b.name);
  };
  const auto at = std::upper_bound(dialects_.begin(), dialects_.end(), dialect, before);
  dialects_.insert(at, std::move(dialect));
}

const Dialect* Registry::Find(std::string_view name) const {
  const auto at = std::ranges::find(dialects_, name, &Dialect::name);
  return at == dialects_.end() ? nullptr : &*at;
}

}  // namespace firstword::dialect
