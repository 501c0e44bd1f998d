#include "cli/watch/live_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

namespace firstword::cli {
namespace {

// Types the given keys, one after each look at the keyboard, and keeps what was drawn.
class FakeScreen final : public Screen {
 public:
  explicit FakeScreen(std::deque<Key> keys) : keys_(std::move(keys)) {}

  ScreenSize size() const override { return {100, 24}; }
  void Show(const Grid& grid) override { shown.push_back(grid.Text()); }
  std::optional<Key> NextKey(std::chrono::milliseconds) override {
    if (keys_.empty()) return Key::kQuit;
    const Key key = keys_.front();
    keys_.pop_front();
    return key;
  }

  std::vector<std::string> shown;

 private:
  std::deque<Key> keys_;
};

std::unique_ptr<WatchSession> NobodyThere(const Clock& clock) {
  WatchOptions options;
  options.urls = {"unix:///nonexistent/engine.sock"};
  return WatchSession::Open(std::move(options), clock).value();
}

TEST(LiveViewTest, DrawsAtOnceAndAfterEveryKey) {
  const SystemClock clock;
  auto session = NobodyThere(clock);
  FakeScreen screen({Key::kHelp, Key::kOther, Key::kEnter});
  ASSERT_TRUE(RunLive(*session, screen, true, [] { return false; }));
  ASSERT_GE(screen.shown.size(), 4u);
  EXPECT_THAT(screen.shown.front(), testing::HasSubstr("firstword watch · 1 target, 0 answering"));
  EXPECT_THAT(screen.shown,
              testing::Contains(testing::HasSubstr("firstword watch · keys and words")));
  EXPECT_THAT(screen.shown.back(), testing::HasSubstr("esc back"));
}

TEST(LiveViewTest, EndsWhenInterrupted) {
  const SystemClock clock;
  auto session = NobodyThere(clock);
  FakeScreen screen({});
  EXPECT_TRUE(RunLive(*session, screen, true, [] { return true; }));
  EXPECT_EQ(screen.shown.size(), 1u);
}

}  // namespace
}  // namespace firstword::cli
