#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "dialect/exports/export_fields.h"
#include "dialect/load_dialect.h"

namespace firstword::dialect {
namespace {

constexpr std::array<std::string_view, 6> kWriters = {
    "python", "python-multiprocess", "openmetrics", "cpp", "go", "plain"};

void ReadReleases(yaml::Fields& fields, Export& page, yaml::Faults& faults) {
  const yaml::Node* node = fields.Require("versions");
  if (node == nullptr) return;
  for (const yaml::Node& item : yaml::ReadItems(*node, "\"versions\"", faults)) {
    const std::string text = yaml::ReadText(item, "a version", faults);
    std::optional<Version> version = Version::Parse(text);
    if (!version) {
      faults.Add(item, fmt::format("\"{}\" is no version", text),
                 "write it as 0.9.2, 0.4.3.post3 or 0.20.2rc1");
      return;
    }
    if (!page.versions.empty() && *version <= page.versions.back()) {
      faults.Add(
          item,
          fmt::format("version {} does not come after {}", text, page.versions.back().ToString()),
          "list the oldest first");
    }
    page.versions.push_back(*std::move(version));
  }
}

void ReadPlace(yaml::Fields& fields, Export& page, yaml::Faults& faults) {
  page.path = fields.Text("path");
  if (page.path.empty()) page.path = "/metrics";
  if (!page.path.starts_with('/')) faults.Add(*fields.Find("path"), "\"path\" must begin with /");
  if (const yaml::Node* node = fields.Find("port")) {
    const double port = yaml::ReadNumber(*node, "\"port\"", faults);
    if (port != std::floor(port) || port < 1 || port > 65535) {
      faults.Add(*node, "\"port\" must be a whole number from 1 to 65535");
    } else {
      page.port = static_cast<std::uint16_t>(port);
    }
  }
}

std::vector<BucketSet> ReadBucketSets(const yaml::Node* node, yaml::Faults& faults) {
  std::vector<BucketSet> sets;
  if (node == nullptr || !yaml::ExpectMap(*node, "\"buckets\"", faults)) return sets;
  for (std::size_t i = 0; i < node->keys.size(); ++i) {
    const std::string& name = node->keys[i].text;
    sets.push_back(
        {name, ReadBuckets(node->items[i], fmt::format("buckets \"{}\"", name), faults)});
  }
  return sets;
}

void ReadRename(const yaml::Node& node, Export& page, yaml::Faults& faults) {
  for (const yaml::Node& item : yaml::ReadItems(node, "\"rename\"", faults)) {
    yaml::Fields fields(item, "a renaming", {"from", "to"}, faults);
    std::string from = fields.RequireText("from");
    std::string to;
    // May be empty: the text is taken out.
    if (const yaml::Node* target = fields.Require("to")) to = target->text;
    page.rename.emplace_back(std::move(from), std::move(to));
  }
}

Export ReadExport(const yaml::Node& node, Per default_per, yaml::Faults& faults) {
  yaml::Fields fields(node, "an export",
                      {"engine", "title", "versions", "writer", "path", "port",
                       "gauges_with_output", "labels", "buckets", "rename", "families"},
                      faults);
  Export page{.engine = fields.RequireText("engine"), .title = fields.RequireText("title")};
  ReadReleases(fields, page, faults);
  if (const yaml::Node* writer = fields.Require("writer")) {
    page.writer = ReadChoices<Writer>(*writer, "\"writer\"", faults, [&](const yaml::Node& at) {
      return static_cast<Writer>(yaml::ReadWord(at, "\"writer\"", kWriters, faults));
    });
  }
  ReadPlace(fields, page, faults);
  page.gauges_with_output = fields.Bool("gauges_with_output");
  if (const yaml::Node* labels = fields.Find("labels")) {
    page.labels = ReadExportLabels(*labels, "\"labels\"", faults);
  }
  const std::vector<BucketSet> sets = ReadBucketSets(fields.Find("buckets"), faults);
  if (const yaml::Node* rename = fields.Find("rename")) ReadRename(*rename, page, faults);
  if (const yaml::Node* families = fields.Require("families")) {
    for (const yaml::Node& family : yaml::ReadItems(*families, "\"families\"", faults)) {
      if (faults.any()) break;
      ReadFamily(family, sets, default_per, page, faults);
    }
  }
  return page;
}

}  // namespace

bool InRange(const VersionRange& range, const Version& version) {
  return !(range.min && version < *range.min) && !(range.max && version > *range.max);
}

Result<std::vector<Export>> LoadExports(std::string_view yaml, std::string_view file_name) {
  std::vector<Export> exports;
  const std::string section = SplitSections(yaml).exports;
  if (section.empty()) return exports;
  const Result<yaml::Node> root = yaml::Parse(section, file_name);
  if (!root) return std::unexpected(root.error());
  yaml::Faults faults(file_name);
  yaml::Fields fields(*root, "a dialect", {"dialect", "kind", "exports"}, faults);
  const std::string dialect = fields.RequireText("dialect");
  const Per per = fields.Text("kind") == "gpu" ? Per::kGpu : Per::kRank;
  if (const yaml::Node* list = fields.Require("exports")) {
    for (const yaml::Node& node : yaml::ReadItems(*list, "\"exports\"", faults)) {
      Export page = ReadExport(node, per, faults);
      if (faults.any()) break;
      if (std::ranges::find(exports, page.engine, &Export::engine) != exports.end()) {
        faults.Add(node, fmt::format("engine \"{}\" stands here twice", page.engine));
      }
      page.dialect = dialect;
      exports.push_back(std::move(page));
    }
  }
  if (faults.any()) return std::unexpected(faults.error());
  return exports;
}

}  // namespace firstword::dialect
