#include "simulate/scenario/event_fields.h"

#include <fmt/format.h>

#include <string>

#include "simulate/scenario/ranges.h"
#include "simulate/scenario/read_values.h"

namespace firstword::simulate {
namespace {

// Reads optional members and counts what was there.
class Changes {
 public:
  explicit Changes(FieldReader& fields) : fields_(fields) {}

  void Number(std::string_view key, std::optional<double>& to) {
    if (fields_.node().Find(key) == nullptr) return Skip(key);
    double value = 0;
    fields_.Number(key, value);
    to = value;
    ++count_;
  }
  void Count(std::string_view key, std::optional<std::uint32_t>& to) {
    if (fields_.node().Find(key) == nullptr) return Skip(key);
    std::uint32_t value = 0;
    fields_.Count(key, value);
    to = value;
    ++count_;
  }
  void Flag(std::string_view key, std::optional<bool>& to) {
    if (fields_.node().Find(key) == nullptr) return Skip(key);
    bool value = false;
    fields_.Flag(key, value);
    to = value;
    ++count_;
  }
  // Something that is done rather than set.
  void Deed(std::string_view key, bool& to) {
    std::optional<bool> value;
    Flag(key, value);
    to = value.value_or(false);
    if (value.value_or(true)) return;
    fields_.faults().Add(PlaceOf(fields_.node(), key), fmt::format("\"{}\" can only be true", key),
                         "leave it out for no");
  }
  void Time(std::string_view key, std::optional<double>& to_seconds) {
    if (fields_.node().Find(key) == nullptr) return Skip(key);
    to_seconds = Seconds(ReadTime(fields_, key, SimTime{}));
    ++count_;
  }

  [[nodiscard]] int count() const { return count_; }

 private:
  // So that the key is known where it is missing.
  void Skip(std::string_view key) { (void)fields_.Take(key); }

  FieldReader& fields_;
  int count_ = 0;
};

void ReadOfTraffic(Changes& changes, EventSpec& event) {
  changes.Number("rate", event.rate);
  changes.Number("prompt_factor", event.prompt_factor);
  changes.Number("output_factor", event.output_factor);
  changes.Number("skew", event.skew);
  changes.Time("gateway_delay", event.gateway_delay_s);
  changes.Flag("prefixes_shared", event.prefixes_shared);
}

void ReadOfNode(Changes& changes, EventSpec& event) {
  changes.Number("clock_share", event.clock_share);
  changes.Number("bandwidth_share", event.bandwidth_share);
  changes.Number("host_factor", event.host_factor);
  changes.Number("acceptance", event.acceptance);
  changes.Number("rank_skew", event.rank_skew);
  changes.Flag("stuck", event.stuck);
  changes.Flag("prefix_cache_off", event.prefix_cache_off);
  changes.Deed("abort_all", event.abort_all);
  changes.Deed("crash", event.crash);
  changes.Deed("restart", event.restart);
  std::optional<double> every;
  changes.Time("crash_every", every);
  event.crash_every_s = every.value_or(0);
  changes.Count("xid", event.xid);
  changes.Count("ecc_sbe", event.ecc_sbe);
  changes.Count("ecc_dbe", event.ecc_dbe);
  changes.Flag("gpu_lost", event.gpu_lost);
  changes.Flag("hw_thermal", event.hw_thermal);
  changes.Flag("sw_power_cap", event.sw_power_cap);
  changes.Flag("telemetry_zero", event.telemetry_zero);
  changes.Flag("row_remap_failure", event.row_remap_failure);
}

// The number of one of `count`, which an event may leave out.
void ReadNumber(FieldReader& fields, std::string_view key, std::uint32_t count,
                std::optional<std::uint32_t>& to) {
  const yaml::Node* at = fields.node().Find(key);
  std::uint32_t number = 0;
  fields.Count(key, number);
  if (at == nullptr) return;
  to = number;
  if (number < count) return;
  fields.faults().Add(*at, fmt::format("\"{}\": there is no {}", key, number),
                      count == 1 ? "the only one is 0" : fmt::format("0 to {}", count - 1));
}

void CheckCrash(const FieldReader& fields, const EventSpec& event, yaml::Faults& faults) {
  const yaml::Node* every = fields.node().Find("crash_every");
  if (every == nullptr) return;
  if (!event.crash) {
    faults.Add(*every, "\"crash_every\" goes with \"crash: true\"");
  } else if (event.crash_every_s <= 0) {
    faults.Add(*every, "\"crash_every\" must be above 0");
  }
}

}  // namespace

bool ReadEventFields(FieldReader& fields, const NodeSpec* node, EventSpec& event) {
  yaml::Faults& faults = fields.faults();
  Changes changes(fields);
  if (node != nullptr) {
    const EngineConfig& config = node->config;
    ReadNumber(fields, "replica", node->replicas, event.replica);
    ReadNumber(fields, "gpu", config.tensor_parallel * config.data_parallel, event.gpu);
    ReadOfNode(changes, event);
    CheckCrash(fields, event, faults);
  } else {
    ReadOfTraffic(changes, event);
  }
  CheckRanges(fields.node(), EventRanges(), faults);
  return changes.count() > 0;
}

}  // namespace firstword::simulate
