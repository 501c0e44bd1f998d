#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <string>

#include "net/connection.h"

namespace firstword::net {

// Connections that wait for their next request, limited in age and number so that targets
// which are gone do not hold descriptors for ever. Private to net.
class ConnectionPool {
 public:
  using Time = std::chrono::steady_clock::time_point;

  static constexpr std::size_t kMaxPerKey = 4;
  static constexpr std::size_t kMaxConnections = 4096;
  static constexpr std::chrono::minutes kMaxIdle{5};

  // The latest kept one, or null. Only connections with the same key are alike.
  [[nodiscard]] std::unique_ptr<Connection> Take(const std::string& key, Time now);
  void Keep(const std::string& key, std::unique_ptr<Connection> connection, Time now);
  void Clear();
  [[nodiscard]] std::size_t size() const { return oldest_first_.size(); }

 private:
  struct Entry {
    std::string key;
    Time since;
    std::unique_ptr<Connection> connection;
  };
  using Position = std::list<Entry>::iterator;

  void DropOld(Time now);
  void Erase(Position position);

  std::list<Entry> oldest_first_;
  std::map<std::string, std::list<Position>> by_key_;  // oldest first
};

}  // namespace firstword::net
