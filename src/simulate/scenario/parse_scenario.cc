#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "simulate/scenario/event_fields.h"
#include "simulate/scenario/node_fields.h"
#include "simulate/scenario/read_values.h"
#include "simulate/scenario/scenarios.h"
#include "simulate/scenario/shapes.h"

namespace firstword::simulate {
namespace {

constexpr std::size_t kMostNodes = 64;

class ScenarioReader {
 public:
  ScenarioReader(std::string_view file_name, const Presets& presets)
      : faults_(file_name), presets_(presets) {}

  Result<Scenario> Read(const yaml::Node& document) {
    {
      FieldReader fields(document, "a scenario", faults_);
      ReadTop(fields);
      ReadList(fields, "nodes", [this](const yaml::Node& at) { AddNode(at); });
      if (scenario_.nodes.empty()) {
        faults_.Add(document, "a scenario needs at least one of \"nodes\"");
      }
      ReadList(fields, "traffic", [this](const yaml::Node& at) { AddTraffic(at); });
      ReadList(fields, "events", [this](const yaml::Node& at) { AddEvent(at); });
    }
    if (faults_.any()) return std::unexpected(faults_.error());
    return std::move(scenario_);
  }

 private:
  template <typename Read>
  void ReadList(FieldReader& fields, std::string_view key, Read read) {
    const yaml::Node* list = fields.Take(key);
    if (list == nullptr) return;
    for (const yaml::Node& item : yaml::ReadItems(*list, key, faults_)) read(item);
  }

  void ReadTop(FieldReader& fields) {
    scenario_.name = ReadName(fields, "a scenario", "scenario");
    scenario_.title = RequireText(fields, "a scenario", "title");
    fields.Text("story", scenario_.story);
    scenario_.shape = RequireText(fields, "a scenario", "shape");
    CheckKnown(fields.node(), "shape", "shape", scenario_.shape, ShapeNames(), faults_);
    scenario_.onset = ReadTime(fields, "onset", SimTime{});
    scenario_.duration = ReadTime(fields, "duration", std::chrono::minutes(6));
    if (scenario_.duration <= scenario_.onset) {
      faults_.Add(PlaceOf(fields.node(), "onset"), "\"duration\" must be longer than \"onset\"");
    }
    fields.Flag("more_replicas_help", scenario_.more_replicas_help);
    std::uint32_t seed = 1;
    fields.Count("seed", seed);
    scenario_.seed = seed;
    fields.Text("gpu_exporter", scenario_.gpu_exporter);
    scenario_.gpu_interval_s = Seconds(ReadTime(fields, "gpu_interval", FromSeconds(1)));
    if (scenario_.gpu_interval_s <= 0) {
      faults_.Add(PlaceOf(fields.node(), "gpu_interval"), "\"gpu_interval\" must be above 0");
    }
    fields.Text("gateway", scenario_.gateway);
  }

  void AddNode(const yaml::Node& at) {
    NodeSpec node = ReadNode(at, presets_, faults_);
    if (FindNode(node.name) != nullptr) {
      faults_.Add(PlaceOf(at, "name"), fmt::format("two nodes are called \"{}\"", node.name));
    }
    if (scenario_.nodes.size() == kMostNodes) {
      faults_.Add(at, fmt::format("more than {} nodes", kMostNodes),
                  "\"replicas\" makes several of one kind");
    }
    if (faults_.any()) return;
    node_names_.push_back(node.name);
    scenario_.nodes.push_back(std::move(node));
  }

  void AddTraffic(const yaml::Node& at) {
    if (faults_.any()) return;
    TrafficSpec traffic = ReadTraffic(at, scenario_.nodes.front().name, presets_, faults_);
    CheckKnown(at, "to", "node", traffic.to, Views(node_names_), faults_);
    if (std::ranges::find(traffic_names_, traffic.name) != traffic_names_.end()) {
      faults_.Add(PlaceOf(at, "name"), fmt::format("two traffics are called \"{}\"", traffic.name),
                  "give one of them another \"name\"");
    }
    traffic_names_.push_back(traffic.name);
    scenario_.traffic.push_back(std::move(traffic));
  }

  void AddEvent(const yaml::Node& at) {
    EventSpec event;
    // Said last: a mistyped key explains it better.
    if (!ReadEvent(at, event)) {
      faults_.Add(at, "an event changes nothing", "docs/scenarios.md lists what one can change");
    }
    // What happens at one moment happens in the order of the file.
    const auto place = std::ranges::upper_bound(scenario_.events, event.at, {}, &EventSpec::at);
    scenario_.events.insert(place, std::move(event));
  }

  // False when it changes nothing.
  [[nodiscard]] bool ReadEvent(const yaml::Node& at, EventSpec& event) {
    const bool of_node = at.Find("node") != nullptr;
    FieldReader fields(at, of_node ? "an event of a node" : "an event of a traffic", faults_);
    event.at = ReadTime(fields, "at", kNever);
    if (event.at == kNever) {
      faults_.Add(at, "an event needs the key \"at\"");
    } else if (event.at >= scenario_.duration) {
      faults_.Add(PlaceOf(at, "at"), "an event after the end", "\"duration\" is when that is");
    }
    fields.Text("traffic", event.traffic);
    fields.Text("node", event.node);
    if (event.traffic.empty() == event.node.empty()) {
      faults_.Add(at, "an event is of one \"traffic\" or of one \"node\"");
    }
    if (!event.traffic.empty()) {
      CheckKnown(at, "traffic", "traffic", event.traffic, Views(traffic_names_), faults_);
    }
    if (!event.node.empty()) {
      CheckKnown(at, "node", "node", event.node, Views(node_names_), faults_);
    }
    return ReadEventFields(fields, FindNode(event.node), event);
  }

  [[nodiscard]] const NodeSpec* FindNode(std::string_view name) const {
    const auto found = std::ranges::find(scenario_.nodes, name, &NodeSpec::name);
    return found == scenario_.nodes.end() ? nullptr : &*found;
  }

  static std::vector<std::string_view> Views(const std::vector<std::string>& names) {
    return {names.begin(), names.end()};
  }

  yaml::Faults faults_;
  const Presets& presets_;
  Scenario scenario_;
  std::vector<std::string> node_names_;
  std::vector<std::string> traffic_names_;
};

}  // namespace

Result<Scenario> ParseScenario(std::string_view text, std::string_view file_name,
                               const Presets& presets) {
  const Result<yaml::Node> document = yaml::Parse(text, file_name);
  if (!document) return std::unexpected(document.error());
  return ScenarioReader(file_name, presets).Read(*document);
}

}  // namespace firstword::simulate
