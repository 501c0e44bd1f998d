#include "net/connection_pool.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

namespace firstword::net {
namespace {

class ConnectionPoolTest : public testing::Test {
 protected:
  Connection* Keep(const std::string& key, ConnectionPool::Time now) {
    auto connection = std::make_unique<Connection>();
    connection->plain.emplace(context_);
    Connection* const kept = connection.get();
    pool_.Keep(key, std::move(connection), now);
    return kept;
  }

  boost::asio::io_context context_;
  ConnectionPool pool_;
  const ConnectionPool::Time start_{};
};

TEST_F(ConnectionPoolTest, GivesTheLatestOfTheSameKey) {
  EXPECT_EQ(pool_.Take("a", start_), nullptr);
  Keep("a", start_);
  Connection* const latest = Keep("a", start_);
  Keep("b", start_);
  const auto taken = pool_.Take("a", start_);
  EXPECT_EQ(taken.get(), latest);
  EXPECT_TRUE(taken->reused);
  EXPECT_NE(pool_.Take("a", start_), nullptr);
  EXPECT_EQ(pool_.Take("a", start_), nullptr);
  EXPECT_EQ(pool_.size(), 1u);
}

TEST_F(ConnectionPoolTest, DropsTheOldestPastItsLimits) {
  for (std::size_t i = 0; i < ConnectionPool::kMaxPerKey + 3; ++i) Keep("a", start_);
  EXPECT_EQ(pool_.size(), ConnectionPool::kMaxPerKey);
  const auto later = start_ + ConnectionPool::kMaxIdle;
  Keep("b", later);
  EXPECT_EQ(pool_.size(), ConnectionPool::kMaxPerKey + 1);
  Keep("b", later + std::chrono::milliseconds(1));
  EXPECT_EQ(pool_.size(), 2u) << "those of a were idle for too long";
  EXPECT_EQ(pool_.Take("a", later), nullptr);
  for (std::size_t i = 0; i < ConnectionPool::kMaxConnections; ++i) Keep(std::to_string(i), later);
  EXPECT_EQ(pool_.size(), ConnectionPool::kMaxConnections);
  EXPECT_EQ(pool_.Take("b", later), nullptr);
}

}  // namespace
}  // namespace firstword::net
