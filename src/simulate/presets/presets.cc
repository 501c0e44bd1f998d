#include "simulate/presets/presets.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <utility>

#include "base/nearest.h"
#include "simulate/presets/embedded.h"
#include "simulate/presets/preset_fields.h"
#include "simulate/presets/preset_rows.h"

namespace firstword::simulate {
namespace {

// Reads every row of the one list that `file` has; a file that is not there has none.
Result<void> ReadRows(std::span<const yaml::EmbeddedFile> files, std::string_view file,
                      std::string_view list, std::string_view what,
                      const std::function<void(FieldReader&)>& read) {
  const auto found = std::ranges::find(files, file, &yaml::EmbeddedFile::name);
  if (found == files.end()) return {};
  const Result<yaml::Node> document = yaml::Parse(found->content, file);
  if (!document) return std::unexpected(document.error());
  yaml::Faults faults(file);
  yaml::CheckKeys(*document, "a preset file", {list}, faults);
  std::vector<std::string_view> names;
  if (const yaml::Node* rows = document->Find(list)) {
    for (const yaml::Node& row : yaml::ReadItems(*rows, list, faults)) {
      {
        FieldReader fields(row, what, faults);
        read(fields);
      }
      const yaml::Node* name = row.Find("name");
      if (name == nullptr) continue;
      if (std::ranges::find(names, name->text) != names.end()) {
        faults.Add(*name, fmt::format("\"{}\" is there twice", name->text));
      }
      names.push_back(name->text);
    }
  }
  if (faults.any()) return std::unexpected(faults.error());
  return {};
}

template <typename T>
std::vector<std::string_view> NamesOf(const std::vector<T>& rows) {
  std::vector<std::string_view> names;
  for (const T& row : rows) names.push_back(row.name);
  return names;
}

template <typename T>
Result<T> FindRow(const std::vector<T>& rows, std::string_view name, std::string_view what) {
  const auto found = std::ranges::find(rows, name, &T::name);
  if (found != rows.end()) return *found;
  const std::vector<std::string_view> names = NamesOf(rows);
  std::string hint = DidYouMean(name, names);
  if (hint.empty()) hint = fmt::format("there are {}", fmt::join(names, ", "));
  return Fail(ErrorCode::kInvalid, fmt::format("unknown {} \"{}\"", what, name), std::move(hint));
}

// Release numbers part by part; a missing part is 0, what is no number ends it.
bool AtLeast(std::string_view version, std::string_view since) {
  while (!version.empty() || !since.empty()) {
    const auto take = [](std::string_view& text) {
      int value = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      text.remove_prefix(error == std::errc() ? static_cast<std::size_t>(end - text.data())
                                              : text.size());
      if (text.starts_with('.')) text.remove_prefix(1);
      return value;
    };
    const int a = take(version);
    const int b = take(since);
    if (a != b) return a > b;
  }
  return true;
}

}  // namespace

Result<Presets> Presets::LoadBuiltin() { return Load(EmbeddedPresets()); }

Result<Presets> Presets::Load(std::span<const yaml::EmbeddedFile> files) {
  Presets presets;
  Result<void> read = ReadRows(files, "gpus.yaml", "gpus", "a GPU", [&](FieldReader& fields) {
    ReadGpu(fields, presets.gpus_.emplace_back());
  });
  if (read) {
    read = ReadRows(files, "models.yaml", "models", "a model", [&](FieldReader& fields) {
      ReadModel(fields, presets.models_.emplace_back());
    });
  }
  if (read) {
    read = ReadRows(files, "workloads.yaml", "workloads", "a workload", [&](FieldReader& fields) {
      fields.Require({"name", "title", "prompt_tokens", "output_tokens"});
      WorkloadSpec& workload = presets.workloads_.emplace_back();
      fields.Text("name", workload.name);
      ReadWorkloadFields(fields, workload);
    });
  }
  if (read) {
    read = ReadRows(files, "engines.yaml", "engines", "an engine", [&](FieldReader& fields) {
      fields.Require({"engine", "mixing", "memory", "host"});
      EngineRow& row = presets.engines_.emplace_back();
      fields.Text("engine", row.engine);
      fields.Text("since", row.since);
      ReadEngineFields(fields, row.config);
    });
  }
  if (!read) return std::unexpected(std::move(read).error());
  return presets;
}

Result<GpuSpec> Presets::Gpu(std::string_view name) const { return FindRow(gpus_, name, "GPU"); }
Result<ModelSpec> Presets::Model(std::string_view name) const {
  return FindRow(models_, name, "model");
}
Result<WorkloadSpec> Presets::Workload(std::string_view name) const {
  return FindRow(workloads_, name, "workload");
}

Result<EngineConfig> Presets::Engine(std::string_view engine, std::string_view version) const {
  const EngineRow* best = nullptr;
  for (const EngineRow& row : engines_) {
    if (row.engine == engine && (row.since.empty() || AtLeast(version, row.since))) best = &row;
  }
  if (best != nullptr) return best->config;
  std::vector<std::string_view> names;
  for (const EngineRow& row : engines_) {
    if (row.since.empty()) names.push_back(row.engine);
  }
  return Fail(ErrorCode::kInvalid, fmt::format("\"{}\" is no engine that can be simulated", engine),
              fmt::format("there are {}", fmt::join(names, ", ")));
}

std::vector<std::string_view> Presets::gpu_names() const { return NamesOf(gpus_); }
std::vector<std::string_view> Presets::model_names() const { return NamesOf(models_); }
std::vector<std::string_view> Presets::workload_names() const { return NamesOf(workloads_); }

}  // namespace firstword::simulate
