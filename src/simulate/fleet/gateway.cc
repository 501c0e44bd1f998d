#include "simulate/fleet/gateway.h"

#include <algorithm>

namespace firstword::simulate {
namespace {

constexpr SimTime kWindow = std::chrono::seconds(60);

}  // namespace

Gateway::Gateway(const dialect::PageSpec& page, std::size_t servers) : servers_(servers) {
  for (const dialect::PageHistogram& histogram : page.histograms) {
    bounds_.push_back(histogram.bounds);
  }
  for (Server& server : servers_) {
    for (const std::vector<double>& bounds : bounds_) {
      server.reading.buckets.emplace_back(bounds.size() + 1);
    }
  }
}

// What has left the window; also where nobody reads, so that it stays bounded.
void Gateway::Forget(Server& server, SimTime now) {
  while (!server.taken.empty() && server.taken.front() < now - kWindow) server.taken.pop_front();
  while (!server.ended.empty() && server.ended.front().at < now - kWindow) server.ended.pop_front();
}

void Gateway::OnTaken(std::size_t server, SimTime now) {
  ++servers_[server].reading.requests;
  ++servers_[server].reading.active;
  servers_[server].taken.push_back(now);
  Forget(servers_[server], now);
}

void Gateway::OnEnded(std::size_t server, SimTime taken, SimTime now, bool good) {
  GatewayReading& reading = servers_[server].reading;
  --reading.active;
  if (!good) {
    ++reading.errors;
    return;
  }
  const double duration = Seconds(now - taken);
  reading.duration_sum_s += duration;
  ++reading.duration_count;
  for (std::size_t i = 0; i < bounds_.size(); ++i) {
    const auto bucket = std::ranges::lower_bound(bounds_[i], duration) - bounds_[i].begin();
    ++reading.buckets[i][static_cast<std::size_t>(bucket)];
  }
  servers_[server].ended.push_back({now, duration});
}

GatewayReading Gateway::Read(std::size_t server, SimTime now) {
  Server& one = servers_[server];
  Forget(one, now);
  GatewayReading reading = one.reading;
  reading.requests_per_second = static_cast<double>(one.taken.size()) / Seconds(kWindow);
  if (!one.ended.empty()) {
    double sum = 0;
    for (const Ended& ended : one.ended) sum += ended.duration_s;
    reading.recent_duration_s = sum / static_cast<double>(one.ended.size());
  }
  return reading;
}

}  // namespace firstword::simulate
