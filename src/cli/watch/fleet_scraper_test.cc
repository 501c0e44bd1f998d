#include "cli/watch/fleet_scraper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "cli/golden.h"
#include "cli/options/read_file.h"
#include "cli/watch/watch_json.h"
#include "cli/watch/watch_session.h"
#include "net/http_server.h"

namespace firstword::cli {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class FakeClock final : public Clock {
 public:
  TimestampMs NowMs() const override { return now; }
  TimestampMs now = 1'790'000'000'000;
};

// A server on a thread of its own that answers one page after another.
class PageServer {
 public:
  explicit PageServer(std::vector<net::ServerResponse> answers) : answers_(std::move(answers)) {
    server_ = net::HttpServer::Listen(loop_, {}, [this](const net::ServerRequest&) {
                const std::size_t i = std::min(next_, answers_.size() - 1);
                ++next_;
                return answers_[i];
              }).value();
    thread_ = std::thread([this] { loop_.Run(); });
  }
  ~PageServer() {
    loop_.Stop();
    thread_.join();
  }

  std::string url() const { return "http://127.0.0.1:" + std::to_string(server_->port()); }

 private:
  std::vector<net::ServerResponse> answers_;
  std::size_t next_ = 0;
  net::EventLoop loop_;
  std::unique_ptr<net::HttpServer> server_;
  std::thread thread_;
};

net::ServerResponse Page(const char* file) {
  return {.status = 200,
          .content_type = "text/plain; version=0.0.4",
          .headers = {},
          .body = ReadFile(TestFile(file), 1 << 20).value()};
}

std::unique_ptr<WatchSession> Open(std::vector<std::string> urls, const Clock& clock) {
  WatchOptions options;
  options.urls = std::move(urls);
  options.interval = 10s;
  options.reading.dialects_directory = TestFile("dialects");
  auto session = WatchSession::Open(std::move(options), clock);
  EXPECT_TRUE(session) << session.error().ToString();
  return std::move(*session);
}

void Round(WatchSession& session) {
  session.scraper().StartRound();
  while (session.scraper().busy()) session.scraper().RunFor(1s);
}

TEST(WatchSessionTest, TwoRoundsGiveRates) {
  PageServer server({Page("toy_before.prom"), Page("toy_after.prom")});
  FakeClock clock;
  auto session = Open({server.url()}, clock);
  Round(*session);
  clock.now += 10'000;
  Round(*session);
  const FleetView view = session->Look().value();
  ASSERT_EQ(view.replicas.size(), 1u);
  const FleetRow& row = view.replicas.front();
  EXPECT_EQ(row.engine, "Toy Engine 1.2+");
  EXPECT_EQ(row.state, RowState::kWaiting);
  EXPECT_EQ(row.running, 64);
  EXPECT_EQ(row.waiting, 15);
  EXPECT_EQ(row.kv_usage, 0.9725);
  EXPECT_DOUBLE_EQ(row.preemptions_per_second.value(), 1.2);
  EXPECT_DOUBLE_EQ(row.tokens_per_second.value(), 2252.8);
  EXPECT_DOUBLE_EQ(row.prefix_hits.value(), 0.1);
  EXPECT_FALSE(row.lifetime);
  EXPECT_EQ(row.waiting_history, (std::vector<double>{15}));
  EXPECT_EQ(view.answering, 1u);
  EXPECT_THAT(WatchJson(view), HasSubstr(R"("waiting":15,)"));
}

TEST(WatchSessionTest, AFailingTargetShowsItsErrorAndNoFigures) {
  PageServer server(
      {Page("toy_before.prom"),
       {.status = 503, .content_type = "text/plain", .headers = {}, .body = "loading"}});
  FakeClock clock;
  auto session = Open({server.url()}, clock);
  Round(*session);
  for (int i = 0; i < 2; ++i) {
    clock.now += 10'000;
    Round(*session);
  }
  const FleetView view = session->Look().value();
  ASSERT_EQ(view.replicas.size(), 1u);
  EXPECT_EQ(view.replicas.front().state, RowState::kDown);
  EXPECT_THAT(view.replicas.front().error, HasSubstr("503"));
  EXPECT_EQ(view.replicas.front().failing_seconds, 10);
  EXPECT_EQ(view.replicas.front().age_seconds, 20);
  EXPECT_EQ(view.replicas.front().running, std::nullopt);
  EXPECT_EQ(view.answering, 0u);
}

TEST(WatchSessionTest, APageThatIsNoneIsAnError) {
  PageServer server({{.status = 200,
                      .content_type = "text/html",
                      .headers = {},
                      .body = "<html><body>hello</body></html>"}});
  FakeClock clock;
  auto session = Open({server.url()}, clock);
  Round(*session);
  const TargetStatus& status = session->scraper().targets().front();
  EXPECT_THAT(status.error, testing::StartsWith("this is a markup page, not metrics: "));
}

TEST(WatchSessionTest, TargetsOfOneAddressAreToldApartByPath) {
  const std::vector<std::string> urls = {"h:1/a", "h:1/b", "h:2"};
  const auto targets = ParseTargets(urls, "watch");
  ASSERT_TRUE(targets);
  EXPECT_EQ((*targets)[0].name, "h:1/a");
  EXPECT_EQ((*targets)[1].labels.Get("instance"), "h:1/b");
  EXPECT_EQ((*targets)[2].name, "h:2");
}

}  // namespace
}  // namespace firstword::cli
