#include "net/connection_pool.h"

#include <iterator>
#include <utility>

namespace firstword::net {

std::unique_ptr<Connection> ConnectionPool::Take(const std::string& key, Time now) {
  DropOld(now);
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  const Position latest = found->second.back();
  std::unique_ptr<Connection> connection = std::move(latest->connection);
  Erase(latest);
  connection->reused = true;
  return connection;
}

void ConnectionPool::Keep(const std::string& key, std::unique_ptr<Connection> connection,
                          Time now) {
  DropOld(now);
  std::list<Position>& alike = by_key_[key];
  connection->socket().expires_never();
  oldest_first_.push_back({key, now, std::move(connection)});
  alike.push_back(std::prev(oldest_first_.end()));
  if (alike.size() > kMaxPerKey) Erase(alike.front());
  if (oldest_first_.size() > kMaxConnections) Erase(oldest_first_.begin());
}

void ConnectionPool::Clear() {
  by_key_.clear();
  oldest_first_.clear();
}

void ConnectionPool::DropOld(Time now) {
  while (!oldest_first_.empty() && now - oldest_first_.front().since > kMaxIdle) {
    Erase(oldest_first_.begin());
  }
}

void ConnectionPool::Erase(Position position) {
  const auto alike = by_key_.find(position->key);
  alike->second.remove(position);
  if (alike->second.empty()) by_key_.erase(alike);
  oldest_first_.erase(position);
}

}  // namespace firstword::net
