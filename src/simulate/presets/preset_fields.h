#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulate/engine/config.h"
#include "simulate/traffic/workload.h"
#include "yaml/reader.h"

namespace firstword::simulate {

// Reads a map into a struct, key by key: each key is asked for at most once by name, and
// what is left over is a fault. For presets and scenarios alike.
class FieldReader {
 public:
  FieldReader(const yaml::Node& node, std::string_view what, yaml::Faults& faults);
  // Reports keys that nobody asked for.
  ~FieldReader();
  FieldReader(const FieldReader&) = delete;
  FieldReader& operator=(const FieldReader&) = delete;

  // The node of `key`, or null.
  [[nodiscard]] const yaml::Node* Take(std::string_view key);

  // A fault for each of `keys` that is absent.
  void Require(std::initializer_list<std::string_view> keys);

  // Leave `to` as it is where the key is absent. Bounds are those of the number as written,
  // which is then multiplied by `scale`.
  void Number(std::string_view key, double& to, double scale = 1, double min = 0,
              double max = std::numeric_limits<double>::infinity());
  void Count(std::string_view key, std::uint32_t& to, std::uint32_t min = 0);
  void Flag(std::string_view key, bool& to);
  void Text(std::string_view key, std::string& to);
  void Spreads(std::string_view key, Spread& to);
  // One of `words`; its index.
  template <typename Enum>
  void Word(std::string_view key, std::span<const std::string_view> words, Enum& to) {
    const yaml::Node* node = Take(key);
    if (node != nullptr) to = static_cast<Enum>(yaml::ReadWord(*node, key, words, faults_));
  }

  [[nodiscard]] yaml::Faults& faults() { return faults_; }
  [[nodiscard]] const yaml::Node& node() const { return node_; }

 private:
  const yaml::Node& node_;
  const std::string_view what_;
  yaml::Faults& faults_;
  std::vector<std::string_view> asked_;
};

// "true" or "false"; a fault otherwise.
[[nodiscard]] bool ReadFlag(const yaml::Node& node, std::string_view what, yaml::Faults& faults);

void ReadWorkloadFields(FieldReader& fields, WorkloadSpec& workload);
// Everything of an engine's configuration that is not its GPU and model.
void ReadEngineFields(FieldReader& fields, EngineConfig& config);

}  // namespace firstword::simulate
