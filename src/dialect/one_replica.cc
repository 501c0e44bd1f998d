#include "dialect/one_replica.h"

#include <map>
#include <string>
#include <tuple>

namespace firstword::dialect {
namespace {

using promql::Labels;

// "" when the column cannot be anybody else's replica.
std::string ReplicaKey(const RawPage& page, const Labels& labels) {
  if (!labels.Has("instance")) return "";
  if (page.target()) {
    return std::string(labels.Get("instance")) + '\n' + std::string(labels.Get("replica"));
  }
  Labels others = labels;
  others.Remove("job");
  return others.ToString();
}

// Who speaks for a replica; the least one wins.
struct Claim {
  bool relayed = false;
  std::string job;
  std::size_t page = 0;

  auto operator<=>(const Claim&) const = default;
};

}  // namespace

void KeepOnePagePerReplica(std::vector<PageColumns>& pages) {
  if (pages.size() < 2) return;
  std::map<std::string, Claim> speakers;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    for (const ChosenColumn& one : pages[i].columns) {
      const Labels& labels = *one.column.labels;
      const std::string key = ReplicaKey(*pages[i].page, labels);
      if (key.empty()) continue;
      Claim claim{one.relayed, std::string(labels.Get("job")), i};
      const auto [at, is_new] = speakers.try_emplace(key, claim);
      if (!is_new && claim < at->second) at->second = std::move(claim);
    }
  }
  for (std::size_t i = 0; i < pages.size(); ++i) {
    std::erase_if(pages[i].columns, [&](const ChosenColumn& one) {
      const auto at = speakers.find(ReplicaKey(*pages[i].page, *one.column.labels));
      return at != speakers.end() && at->second.page != i;
    });
  }
}

}  // namespace firstword::dialect
