#include "dialect/exports/export_catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "base/nearest.h"
#include "dialect/embedded.h"

namespace firstword::dialect {

Result<ExportCatalog> ExportCatalog::LoadBuiltin() {
  ExportCatalog catalog;
  for (const EmbeddedFile& file : EmbeddedDialects()) {
    if (Result<void> added = catalog.AddYaml(file.content, file.name); !added) {
      return std::unexpected(added.error());
    }
  }
  return catalog;
}

Result<ExportCatalog> ExportCatalog::Load(const std::filesystem::path& directory) {
  Result<ExportCatalog> catalog = LoadBuiltin();
  if (!catalog) return catalog;
  std::error_code error;
  std::vector<std::filesystem::path> files;
  for (std::filesystem::directory_iterator at(directory, error), end; !error && at != end;
       at.increment(error)) {
    if (at->path().extension() == ".yaml") files.push_back(at->path());
  }
  if (error) {
    return Fail(ErrorCode::kIo,
                fmt::format("dialects directory {}: {}", directory.string(), error.message()),
                "give a readable directory with *.yaml files");
  }
  std::ranges::sort(files);
  for (const std::filesystem::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (!in) {
      return Fail(ErrorCode::kIo, fmt::format("cannot read {}", file.string()),
                  "check that it is a file and may be read");
    }
    if (Result<void> added = catalog->AddYaml(content, file.string()); !added) {
      return std::unexpected(added.error());
    }
  }
  return catalog;
}

Result<void> ExportCatalog::AddYaml(std::string_view yaml, std::string_view file_name) {
  Result<std::vector<Export>> loaded = LoadExports(yaml, file_name);
  if (!loaded) return std::unexpected(loaded.error());
  for (Export& page : *loaded) {
    std::erase_if(exports_, [&](const Export& known) { return known.engine == page.engine; });
    const auto at = std::ranges::lower_bound(exports_, page.engine, {}, &Export::engine);
    exports_.insert(at, std::move(page));
  }
  return {};
}

const Export* ExportCatalog::Find(std::string_view engine) const {
  const auto at = std::ranges::find(exports_, engine, &Export::engine);
  return at == exports_.end() ? nullptr : &*at;
}

std::vector<std::string_view> ExportCatalog::names() const {
  std::vector<std::string_view> names;
  for (const Export& page : exports_) names.push_back(page.engine);
  return names;
}

Result<ExportChoice> ExportCatalog::Choose(std::string_view engine_and_version) const {
  const std::size_t colon = engine_and_version.find(':');
  const std::string_view engine = engine_and_version.substr(0, colon);
  const Export* page = Find(engine);
  if (page == nullptr) {
    const std::vector<std::string_view> known = names();
    std::string hint = DidYouMean(engine, known);
    if (hint.empty()) hint = fmt::format("known engines: {}", fmt::join(known, ", "));
    return Fail(ErrorCode::kInvalid, fmt::format("no engine is named \"{}\"", engine),
                std::move(hint));
  }
  if (colon == std::string_view::npos) return ExportChoice{page, page->versions.back()};
  const std::string_view text = engine_and_version.substr(colon + 1);
  std::optional<Version> version = Version::Parse(text);
  if (!version) {
    return Fail(ErrorCode::kInvalid, fmt::format("\"{}\" is no version of {}", text, engine),
                fmt::format("write it as {}:{}", engine, page->versions.back().ToString()));
  }
  if (*version < page->versions.front()) {
    return Fail(ErrorCode::kInvalid,
                fmt::format("{} {} is older than what is known of its page", engine, text),
                fmt::format("the oldest is {}", page->versions.front().ToString()));
  }
  return ExportChoice{page, *std::move(version)};
}

}  // namespace firstword::dialect
