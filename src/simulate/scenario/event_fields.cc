#include "simulate/scenario/event_fields.h"

#include <string>

#include "base/units.h"

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
  // Something that is done rather than set: only `true` makes sense.
  void Deed(std::string_view key, bool& to) {
    std::optional<bool> value;
    Flag(key, value);
    to = value.value_or(false);
  }
  void Time(std::string_view key, std::optional<double>& to_seconds) {
    const yaml::Node* node = fields_.Take(key);
    if (node == nullptr) return;
    const auto time = ParseDuration(yaml::ReadText(*node, key, fields_.faults()));
    if (!time) {
      fields_.faults().Add(*node, time.error().message, time.error().hint);
      return;
    }
    to_seconds = Seconds(*time);
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

}  // namespace

void ReadEventFields(FieldReader& fields, bool of_node, EventSpec& event) {
  Changes changes(fields);
  if (of_node) {
    std::uint32_t number = 0;
    if (fields.node().Find("replica") != nullptr) {
      fields.Count("replica", number);
      event.replica = number;
    }
    if (fields.node().Find("gpu") != nullptr) {
      fields.Count("gpu", number);
      event.gpu = number;
    }
    ReadOfNode(changes, event);
  } else {
    ReadOfTraffic(changes, event);
  }
  if (changes.count() == 0 && !fields.faults().any()) {
    fields.faults().Add(fields.node(), "an event changes nothing",
                        "docs/scenarios.md lists what one can change");
  }
}

}  // namespace firstword::simulate
