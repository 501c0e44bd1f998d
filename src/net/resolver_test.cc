#include "net/resolver.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <latch>
#include <string>

namespace firstword::net {
namespace {

using Answer = std::future<Result<SocketAddresses>>;

Answer Ask(ResolverPool& pool, const std::string& host, std::uint16_t port = 80) {
  std::promise<Result<SocketAddresses>> promise;
  Answer answer = promise.get_future();
  pool.Resolve(host, port, [promise = std::move(promise)](auto result) mutable {
    promise.set_value(std::move(result));
  });
  return answer;
}

// An answer whose last byte tells which it is.
SocketAddresses Address(std::uint8_t mark) { return {{2, 0, 0, 0, 10, 0, 0, mark}}; }

TEST(ResolverPoolTest, ResolvesNamesAndAddresses) {
  ResolverPool pool;
  const Result<SocketAddresses> literal = Ask(pool, "127.0.0.1", 0x1234).get();
  ASSERT_TRUE(literal) << literal.error().message;
  ASSERT_EQ(literal->size(), 1u);
  EXPECT_EQ((*literal)[0][2], 0x12);
  EXPECT_EQ((*literal)[0][3], 0x34);
  EXPECT_EQ((*literal)[0][4], 127);
  EXPECT_TRUE(Ask(pool, "::1").get());
  EXPECT_TRUE(Ask(pool, "localhost").get());
}

TEST(ResolverPoolTest, NeverQueuesAddressesBehindNames) {
  std::promise<void> release;
  ResolverPool pool([hang = release.get_future().share()](const std::string&) {
    hang.wait();
    return Result<SocketAddresses>(Address(1));
  });
  std::vector<Answer> names;
  for (int i = 0; i < 10; ++i) names.push_back(Ask(pool, "dead" + std::to_string(i)));
  EXPECT_TRUE(Ask(pool, "127.0.0.1").get());
  release.set_value();
  for (Answer& name : names) EXPECT_TRUE(name.get());
}

TEST(ResolverPoolTest, LetsOneDeadNameHoldOneThreadOnly) {
  std::promise<void> release;
  std::atomic<int> dead = 0;
  ResolverPool pool([&dead, hang = release.get_future().share()](const std::string& host) {
    if (host == "dead") {
      ++dead;
      hang.wait();
    }
    return Result<SocketAddresses>(Address(1));
  });
  std::vector<Answer> waiting;
  for (int i = 0; i < 10; ++i) waiting.push_back(Ask(pool, "dead"));
  EXPECT_TRUE(Ask(pool, "alive").get());
  release.set_value();
  for (Answer& answer : waiting) EXPECT_TRUE(answer.get());
  EXPECT_EQ(dead, 1);
}

TEST(ResolverPoolTest, GivesTheLastGoodAnswerWhenTheNameServerFailsOrHangs) {
  std::promise<void> release;
  std::latch hangs(1);
  std::atomic<int> calls = 0;
  ResolverPool pool([&, hang = release.get_future().share()](const std::string&) {
    const int call = ++calls;
    if (call == 3) {
      hangs.count_down();
      hang.wait();
    }
    if (call != 1) return Result<SocketAddresses>(Fail(ErrorCode::kNotFound, "gone"));
    return Result<SocketAddresses>(Address(7));
  });
  for (int i = 0; i < 2; ++i) {
    const Result<SocketAddresses> answer = Ask(pool, "engine").get();
    ASSERT_TRUE(answer);
    EXPECT_EQ((*answer)[0][7], 7);
  }
  Answer first = Ask(pool, "engine");
  hangs.wait();
  EXPECT_TRUE(Ask(pool, "engine").get()) << "while the third look-up hangs";
  release.set_value();
  EXPECT_TRUE(first.get());
}

TEST(ResolverPoolTest, NamesWhatDoesNotResolve) {
  ResolverPool pool;
  const Result<SocketAddresses> answer = Ask(pool, std::string(300, 'x')).get();
  ASSERT_FALSE(answer);
  EXPECT_TRUE(answer.error().message.starts_with("host name xxx")) << answer.error().message;
  EXPECT_NE(answer.error().message.find(" does not resolve: "), std::string::npos);
}

TEST(ResolverPoolTest, EndsWhileALookUpHangs) {
  auto release = std::make_shared<std::promise<void>>();
  std::atomic<bool> called = false;
  {
    ResolverPool pool([hang = release->get_future().share()](const std::string&) {
      hang.wait();
      return Result<SocketAddresses>(Address(1));
    });
    pool.Resolve("dead", 80, [&](auto) { called = true; });
  }
  EXPECT_FALSE(called);
  release->set_value();
}

}  // namespace
}  // namespace firstword::net
