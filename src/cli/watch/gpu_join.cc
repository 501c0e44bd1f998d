#include "cli/watch/gpu_join.h"

namespace firstword::cli {

std::string_view HostOf(std::string_view authority) {
  if (authority.starts_with('[')) {
    const std::size_t end = authority.find(']');
    return authority.substr(1, end == std::string_view::npos ? end : end - 1);
  }
  return authority.substr(0, authority.rfind(':'));
}

void JoinGpus(std::span<FleetRow> replicas, std::span<const FleetRow> gpu_pages) {
  for (FleetRow& replica : replicas) {
    if (replica.state == RowState::kDown) continue;
    for (const FleetRow& page : gpu_pages) {
      const bool same_host = HostOf(replica.name) == HostOf(page.name);
      if (same_host || gpu_pages.size() == 1) replica.gpu = page.gpu;
      if (same_host) break;
    }
  }
}

}  // namespace firstword::cli
