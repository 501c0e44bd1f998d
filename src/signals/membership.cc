#include "signals/membership.h"

#include <algorithm>

namespace firstword::signals {
namespace {

using Role = Member::Role;

bool HasEngineSignals(const ReplicaSignals& replica) {
  const auto at = replica.values.lower_bound("llm:");
  return at != replica.values.end() && at->first.starts_with("llm:");
}

// The page named the engine's address itself, so it speaks for somebody else.
bool IsRelay(const TargetReport& report, const ReplicaSignals& replica) {
  return replica.key.Get("instance") != report.target.Get("instance");
}

bool SameModel(const ReplicaSignals& a, const ReplicaSignals& b) {
  return a.labels.Get("backend") == b.labels.Get("backend") &&
         WithoutColons(a.labels.Get("model")) == WithoutColons(b.labels.Get("model"));
}

}  // namespace

std::string WithoutColons(std::string_view text) {
  std::string out(text);
  std::replace(out.begin(), out.end(), ':', '_');
  return out;
}

std::vector<Member> MembersOf(std::span<const TargetReport* const> reports) {
  std::vector<Member> members;
  std::vector<std::size_t> relays;
  std::vector<std::size_t> directs;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    for (std::size_t j = 0; j < reports[i]->replicas.size(); ++j) {
      const ReplicaSignals& replica = reports[i]->replicas[j];
      if (!HasEngineSignals(replica)) continue;
      const bool relay = IsRelay(*reports[i], replica);
      const bool gateway = !relay && reports[i]->kind() == dialect::Kind::kGateway;
      if (!gateway) (relay ? relays : directs).push_back(members.size());
      members.push_back({i, j, gateway ? Role::kGateway : Role::kCounts, i});
    }
  }
  // Each direct engine is repeated by at most one relay of its model: where the gateway
  // knows more engines than are scraped, the rest of them counts.
  for (const std::size_t relay : relays) {
    const auto replica_of = [&](std::size_t m) -> const ReplicaSignals& {
      return reports[members[m].report]->replicas[members[m].replica];
    };
    const auto original = std::find_if(directs.begin(), directs.end(), [&](std::size_t direct) {
      return SameModel(replica_of(relay), replica_of(direct));
    });
    if (original == directs.end()) continue;
    members[relay].role = Role::kRelayed;
    members[relay].original = members[*original].report;
    directs.erase(original);
  }
  return members;
}

}  // namespace firstword::signals
